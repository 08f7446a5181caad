# SPDX-License-Identifier: Apache-2.0
"""Set operations, anti- and semi-joins between filtered copies of one source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve.demo.case import Case, Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def document(spark: SparkSession, tables: Tables) -> DataFrame:
    """The first months of the year except December, on strings read from CSV."""
    ds1 = spark.read.option("header", "true").csv(tables.csv)
    ds2 = ds1.where(ds1.month == 12)
    ds3 = ds1.where(ds1.month < 3)
    return ds3.subtract(ds2)


def anti_join(spark: SparkSession, tables: Tables) -> DataFrame:
    """Flights of the first half of the year by aircraft that are not registered to Envoy."""
    flights = spark.table("flights")
    envoy = flights.where(flights.tailnum.endswith("MQ"))
    return flights.where(flights.month < 7).join(envoy, "tailnum", "left_anti")


CASES: list[Case] = [
    Case(
        "except-csv",
        "EXCEPT of two filters of one CSV",
        "Spark's own rule is off on both sides, so this compares Spark's anti-join with Sieve's "
        "filter. Without ANSI mode, in which the casts of text could fail.",
        document,
        conf={
            "spark.sql.optimizer.replaceExceptWithFilter": "false",
            "spark.sql.ansi.enabled": "false",
        },
        short=True,
    ),
    Case(
        "except-renamed",
        "EXCEPT with renamed columns",
        "Spark's own rule maps columns by name and does not apply here; Sieve maps them by "
        "identity.",
        """
        SELECT tailnum AS aircraft, month AS m, dest FROM flights WHERE distance > 500
        EXCEPT
        SELECT tailnum, month, dest FROM flights WHERE month = 12
        """,
    ),
    Case(
        "except-chain",
        "A chain of EXCEPTs",
        "Two anti-joins, three scans; with Sieve, one scan and one filter.",
        """
        SELECT tailnum, carrier, dest FROM flights WHERE month < 7
        EXCEPT
        SELECT tailnum, carrier, dest FROM flights WHERE dest IN ('LAX', 'SFO')
        EXCEPT
        SELECT tailnum, carrier, dest FROM flights WHERE carrier = 'UA'
        """,
    ),
    Case(
        "except-union",
        "EXCEPT a UNION",
        "The right side is a union of two filters; both become conditions of one scan.",
        """
        SELECT tailnum, carrier, dest FROM flights
        EXCEPT
        (SELECT tailnum, carrier, dest FROM flights WHERE dest = 'ATL'
         UNION ALL
         SELECT tailnum, carrier, dest FROM flights WHERE carrier IN ('DL', 'AA'))
        """,
    ),
    Case(
        "except-all",
        "EXCEPT ALL",
        "Spark counts both sides in one aggregate over their union and replicates rows. Sieve "
        "filters one scan.",
        """
        SELECT tailnum, carrier, origin, dest, month FROM flights
        EXCEPT ALL
        SELECT tailnum, carrier, origin, dest, month FROM flights WHERE month = 12
        """,
        short=True,
    ),
    Case(
        "intersect",
        "INTERSECT",
        "Spark makes a semi-join of it; a row on both sides is a row that passes both filters.",
        """
        SELECT tailnum, carrier, dest, month FROM flights WHERE distance > 300
        INTERSECT
        SELECT tailnum, carrier, dest, month FROM flights WHERE month IN (6, 7, 8)
        """,
    ),
    Case(
        "intersect-all",
        "INTERSECT ALL",
        "As EXCEPT ALL, with the smaller of two counts.",
        """
        SELECT tailnum, carrier, origin, dest, month FROM flights
        INTERSECT ALL
        SELECT tailnum, carrier, origin, dest, month FROM flights WHERE month < 11
        """,
    ),
    Case(
        "union",
        "UNION of two filters",
        "Two scans whose rows are put together and made distinct; Sieve reads one scan with OR.",
        """
        SELECT tailnum, carrier, dest FROM flights WHERE dep_delay > 60
        UNION
        SELECT tailnum, carrier, dest FROM flights WHERE arr_delay > 60
        """,
    ),
    Case(
        "not-exists",
        "NOT EXISTS on a filtered copy",
        "The key decides whether a row has a partner, so the filter on the key decides it without "
        "a join.",
        """
        SELECT * FROM flights f
        WHERE f.month < 7 AND NOT EXISTS (
          SELECT 1 FROM flights g WHERE g.dest = f.dest AND g.dest IN ('LAX', 'SFO', 'SEA'))
        """,
        short=True,
    ),
    Case(
        "anti-join",
        "LEFT ANTI self-join",
        "The same through the DataFrame API, with a key that may be NULL.",
        anti_join,
    ),
    Case(
        "semi-join",
        "LEFT SEMI self-join",
        "A filter on the keys of the right copy is a filter on the left.",
        """
        SELECT f.* FROM flights f
        LEFT SEMI JOIN (SELECT carrier, dest FROM flights WHERE dest = 'ORD') g
        ON f.carrier = g.carrier AND f.dest = g.dest
        """,
    ),
    Case(
        "except-counting",
        "EXCEPT by a column that is not in the result",
        "No filter can answer this: a pair may occur on both sides. One scan that counts both "
        "sides replaces two scans and a join.",
        """
        SELECT tailnum, dest FROM flights WHERE month < 7
        EXCEPT
        SELECT tailnum, dest FROM flights WHERE month >= 7
        """,
        conf={
            "spark.sieve.setop.counting.enabled": "true",
            "spark.sieve.setop.counting.minScanBytes": "0",
        },
    ),
]
