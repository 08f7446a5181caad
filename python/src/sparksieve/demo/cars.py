# SPDX-License-Identifier: Apache-2.0
"""The tables of the bulk filters: cars, and files of colours, brands and regions to filter them by.

Spark generates them from the row number alone, so they are the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CARS_A_FLIGHT = 10
"""The number of cars for each flight."""

FILES = 8
"""The number of files with cars."""

CARS_A_VALUE = 10
"""A file of values has one value for this many cars."""

KEPT = 10
"""One value in this many is in a file, so each file keeps one car in this many."""

FILTERS = ("A", "B", "C", "D")
"""The files of values: A and B have colours, C brands, D regions."""


def cars(spark: SparkSession, rows: int) -> DataFrame:
    """``rows`` cars with ``color`` (INT), ``brand`` (BIGINT) and ``region`` (STRING)."""
    values = _values(rows)

    def code(name: str) -> str:
        return f"pmod(xxhash64(id, '{name}'), {values}L)"

    return spark.range(0, rows, 1, FILES).selectExpr(
        "id",
        f"CAST({code('color')} AS INT) AS color",
        f"{_brand(code('brand'))} AS brand",
        f"{_region(code('region'))} AS region",
    )


def filters(spark: SparkSession, rows: int) -> dict[str, DataFrame]:
    """For each of :data:`FILTERS`, its values for ``rows`` cars in one column ``value``."""
    codes = {"A": "CAST(id AS INT)", "B": "CAST(id AS INT)", "C": _brand("id"), "D": _region("id")}
    everything = spark.range(0, _values(rows), 1, 2)
    return {
        name: everything.where(f"pmod(xxhash64(id, 'filter {name}'), {KEPT}L) = 0").selectExpr(
            f"{codes[name]} AS value"
        )
        for name in FILTERS
    }


def _values(rows: int) -> int:
    """The number of possible colours, which is also that of brands and of regions."""
    return max(1, rows // CARS_A_VALUE * KEPT)


def _brand(code: str) -> str:
    """Numbers that are far apart, like keys from several systems."""
    return f"({code}) * 982451653L"


def _region(code: str) -> str:
    return f"concat('region-', lpad(CAST({code} AS STRING), 9, '0'))"
