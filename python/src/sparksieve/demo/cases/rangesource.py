# SPDX-License-Identifier: Apache-2.0
"""The source `rangedb`, whose engine knows only ranges of keys: what is pushed, and what is left.

Sieve's switch does not affect a data source, so here it selects the source's mode: with Sieve off,
Spark does all the work (``pushdown = none``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve.demo.case import Case, Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 10_000_000
"""The number of keys of the table; its rows are computed and need no storage."""


def keys(spark: SparkSession, pushdown: str = "push", rows: int = ROWS) -> DataFrame:
    """The table of ``rows`` keys, also as view ``ranges``; nothing is pushed if Sieve is off."""
    on = spark.conf.get("spark.sieve.enabled", "true") == "true"
    table = spark.read.format("rangedb").options(
        rows=rows, partitions=4, pushdown=pushdown if on else "none"
    )
    loaded = table.load()
    loaded.createOrReplaceTempView("ranges")
    return loaded


def _pushed(spark: SparkSession, tables: Tables) -> DataFrame:
    # The engine reads the keys up to 1,000, and generates no other row.
    return keys(spark, "push").where("val <= 1000").select("val", "cubed")


def _evaluated(spark: SparkSession, tables: Tables) -> DataFrame:
    # The engine generates all rows; the adapter drops most before Spark sees them.
    return keys(spark, "evaluate").where("val <= 1000").select("val", "cubed")


def _squares(spark: SparkSession, tables: Tables) -> DataFrame:
    # The engine filters by keys, the adapter by squares, which the engine does not know.
    return keys(spark).where("val <= 100000 AND squared >= 9000000000").select("val", "cubed")


def _top(spark: SparkSession, tables: Tables) -> DataFrame:
    # Four rows are needed, and four are generated.
    some = keys(spark).where("val <= 100000 AND squared >= 9000000000")
    return some.select("val", "cubed").orderBy("val").limit(4)


def _join(spark: SparkSession, tables: Tables) -> DataFrame:
    # The ids in Oslo are collected from the other side; the engine reads no other keys.
    keys(spark)
    return spark.sql(
        "SELECT r.val, r.squared FROM ranges r JOIN department d ON r.val = d.id "
        "WHERE d.office = 'Oslo'"
    )


CASES: list[Case] = [
    Case(
        "ranges-push",
        "A filter that the engine knows",
        "Without push-down, the engine generates every row and Spark drops most of them. Pushed, "
        "the engine reads only the keys that pass.",
        _pushed,
        short=True,
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
        "The engine knows only keys: it evaluates the filter on keys, the adapter the filter on "
        "squares.",
        _squares,
    ),
    Case(
        "ranges-top",
        "ORDER BY LIMIT 4",
        "All filters become ranges of keys, so the engine generates only the four rows of the "
        "LIMIT.",
        _top,
    ),
    Case(
        "ranges-join",
        "A join with few keys",
        "Nothing in the query limits the keys. They are collected at run time, and become ranges.",
        _join,
        conf={
            "spark.sieve.dynamicFilter.minScanBytes": "0",
            "spark.sql.autoBroadcastJoinThreshold": "-1",
        },
        short=True,
    ),
]
