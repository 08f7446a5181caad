# SPDX-License-Identifier: Apache-2.0
"""Compares the rows of two results as multisets, by a few numbers for each result."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Fingerprint:
    """Equal for equal multisets of rows; different for others, except for hash collisions.

    ``wide`` is the sum of 64-bit hashes of the rows, ``low`` and ``high`` are their minimum and
    maximum; ``narrow`` is the sum of 32-bit hashes by another function. These four are None when
    there are no rows.
    """

    rows: int
    wide: Decimal | None
    narrow: int | None
    low: int | None
    high: int | None


def fingerprint(result: DataFrame) -> Fingerprint:
    """Runs ``result`` alone and computes its fingerprint.

    No operator ever sees both sides, so the optimizer cannot rewrite the check into one that is
    true by construction.

    Columns are compared by position. Spark must be able to hash their types (all but maps).
    """
    from pyspark.sql import functions as fn

    named = result.toDF(*(f"c{i}" for i in range(len(result.columns))))
    # Spark's hashes skip NULLs, so without the flags for NULL (NULL, 1) and (1, NULL) would have
    # equal hashes.
    parts = [p for c in named.columns for p in (fn.col(c), fn.col(c).isNull())]
    hashed = named.select(fn.xxhash64(*parts).alias("h"), fn.hash(*parts).alias("m"))
    row = hashed.agg(
        fn.count(fn.lit(1)),
        fn.sum(fn.col("h").cast("decimal(20,0)")),
        fn.sum(fn.col("m").cast("bigint")),
        fn.min("h"),
        fn.max("h"),
    ).collect()[0]
    return Fingerprint(row[0], row[1], row[2], row[3], row[4])
