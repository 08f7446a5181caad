# SPDX-License-Identifier: Apache-2.0
"""Nested include and exclude filters over files of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve import Exclude, Include, in_file
from sparksieve.demo.case import Case, Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's best plan here: broadcast joins without sorts, whatever Spark estimates as sizes.
BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "256MB"}


def cars(spark: SparkSession, tables: Tables) -> DataFrame:
    """Cars by their colour, brand and region: D or (C and (A and B))."""
    a = Include("color", f"{tables.filters}/A.parquet", name="A")
    b = Include("color", f"{tables.filters}/B.parquet", name="B")
    c = Include("brand", f"{tables.filters}/C.parquet", name="C")
    d = Include("region", f"{tables.filters}/D.parquet", name="D")
    return (d | (c & (a & b))).apply(spark.table("cars"))


def exclude(spark: SparkSession, tables: Tables) -> DataFrame:
    """Colours of one file, but neither the brands nor the regions of two others."""
    kept = (
        Include("color", f"{tables.filters}/A.parquet")
        & Exclude("brand", f"{tables.filters}/C.parquet")
        & Exclude("region", f"{tables.filters}/D.parquet")
    )
    return kept.apply(spark.table("cars"))


def in_or_not_in(spark: SparkSession, tables: Tables) -> DataFrame:
    """The functions alone, in a hand-written predicate."""
    found = in_file("color", f"{tables.filters}/A.parquet")
    lost = ~in_file("brand", f"{tables.filters}/C.parquet")
    return spark.table("cars").where(found | lost)


CASES: list[Case] = [
    Case(
        "bulk-cars",
        "Cars: ((A and B) and C) or D",
        "Spark marks each car by four joins, one after the other, and filters by the marks. Sieve "
        "holds the values of each file in an exact set, as long as the file does not change, and "
        "evaluates all of them in one filter.",
        cars,
        conf=BROADCAST,
        alone="""
        SELECT * FROM cars
        WHERE region IN (SELECT value FROM car_filter_d)
           OR (brand IN (SELECT value FROM car_filter_c)
               AND color IN (SELECT value FROM car_filter_a)
               AND color IN (SELECT value FROM car_filter_b))
        """,
        short=True,
    ),
    Case(
        "bulk-exclude",
        "Include one file, exclude two",
        "A semi-join and two anti-joins for Spark, which each need their side broadcast as a hash "
        "table; Sieve probes the same three sets in one pass over the cars.",
        exclude,
        conf=BROADCAST,
        alone="""
        SELECT * FROM cars c
        WHERE color IN (SELECT value FROM car_filter_a)
          AND NOT EXISTS (SELECT 1 FROM car_filter_c f WHERE f.value = c.brand)
          AND NOT EXISTS (SELECT 1 FROM car_filter_d f WHERE f.value = c.region)
        """,
    ),
    Case(
        "bulk-in-or-not-in",
        "IN or NOT IN",
        "NOT IN below OR would be a join of every car with every value; NOT EXISTS, which is the "
        "same where nothing is NULL, is Spark's best alternative.",
        in_or_not_in,
        conf=BROADCAST,
        alone="""
        SELECT * FROM cars c
        WHERE color IN (SELECT value FROM car_filter_a)
           OR NOT EXISTS (SELECT 1 FROM car_filter_c f WHERE f.value = c.brand)
        """,
        short=True,
    ),
]
