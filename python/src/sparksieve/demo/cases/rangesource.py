"""The source `rangedb`, whose engine knows ranges of keys alone: what is pushed, and what is left.

Sieve's switch does not change a data source, so here it chooses the source's mode: on the side
that is off Spark does all the work (``pushdown = none``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve.demo.case import Case, Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 10_000_000
"""How many keys the table has; its rows are computed, and take no room anywhere."""


def keys(spark: SparkSession, pushdown: str = "push", rows: int = ROWS) -> DataFrame:
    """The table of ``rows`` keys, as ``ranges`` too; ``none`` is pushed where Sieve is off."""
    on = spark.conf.get("spark.sieve.enabled", "true") == "true"
    table = spark.read.format("rangedb").options(
        rows=rows, partitions=4, pushdown=pushdown if on else "none"
    )
    loaded = table.load()
    loaded.createOrReplaceTempView("ranges")
    return loaded


def _pushed(spark: SparkSession, tables: Tables) -> DataFrame:
    # The engine is asked for the keys up to 1,000, and makes no other row.
    return keys(spark, "push").where("val <= 1000").select("val", "cubed")


def _evaluated(spark: SparkSession, tables: Tables) -> DataFrame:
    # The engine makes all rows; the adapter drops most before Spark sees them.
    return keys(spark, "evaluate").where("val <= 1000").select("val", "cubed")


def _squares(spark: SparkSession, tables: Tables) -> DataFrame:
    # Keys are the engine's, squares the adapter's: it cannot be asked for them.
    return keys(spark).where("val <= 100000 AND squared >= 9000000000").select("val", "cubed")


def _top(spark: SparkSession, tables: Tables) -> DataFrame:
    # Four rows are needed, and four are made.
    some = keys(spark).where("val <= 100000 AND squared >= 9000000000")
    return some.select("val", "cubed").orderBy("val").limit(4)


def _join(spark: SparkSession, tables: Tables) -> DataFrame:
    # The ids in Oslo are learned from the other side, and are all that the engine is asked for.
    keys(spark)
    return spark.sql(
        "SELECT r.val, r.squared FROM ranges r JOIN department d ON r.val = d.id "
        "WHERE d.office = 'Oslo'"
    )


CASES: list[Case] = [
    Case(
        "ranges-push",
        "A filter that the engine knows",
        "Left to Spark, every row is made and handed over to be dropped. Pushed, the engine is "
        "asked for the keys that pass.",
        _pushed,
    ),
    Case(
        "ranges-evaluate",
        "The same filter, evaluated by the adapter",
        "The engine still makes every row, but those that do not pass never reach Spark.",
        _evaluated,
    ),
    Case(
        "ranges-squares",
        "A range of keys, and one of squares",
        "The engine can be asked for keys alone: it gets the one filter, the adapter the other.",
        _squares,
    ),
    Case(
        "ranges-top",
        "ORDER BY LIMIT 4",
        "With all filters answered, the four keys are known beforehand: four rows are made.",
        _top,
    ),
    Case(
        "ranges-join",
        "A join with few keys",
        "Nothing in the query limits the keys. They are learned while it runs, and become ranges.",
        _join,
        conf={
            "spark.sieve.dynamicFilter.minScanBytes": "0",
            "spark.sql.autoBroadcastJoinThreshold": "-1",
        },
    ),
]
