"""Are the rows of two results equal, as multisets? Told from a few numbers a side."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Fingerprint:
    """Equal for equal multisets of rows; different for others but for a hash collision.

    ``wide`` sums 64-bit hashes of the rows, ``narrow`` 32-bit hashes of another function;
    ``low`` and ``high`` are the extremes of the former. None when there are no rows.
    """

    rows: int
    wide: Decimal | None
    narrow: int | None
    low: int | None
    high: int | None


def fingerprint(result: DataFrame) -> Fingerprint:
    """Runs ``result`` by itself and sums it up.

    No operator ever sees both sides, so the check cannot be rewritten into something that is
    true by construction.

    Columns count by position. Their types must be hashable for Spark (all but maps).
    """
    from pyspark.sql import functions as fn

    named = result.toDF(*(f"c{i}" for i in range(len(result.columns))))
    # Spark's hashes pass over NULL, so (NULL, 1) and (1, NULL) would count as equal without
    # saying which value is missing.
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
