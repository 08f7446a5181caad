"""Are the rows of two results equal, as multisets? Told from a few numbers a side."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Fingerprint:
    """Equal for equal multisets of rows; different for others but for a hash collision.

    ``wide`` sums 64-bit hashes of the rows, ``narrow`` 32-bit hashes of another function;
    ``low`` and ``high`` are the extremes of the former. None when there are no rows.
    """

    rows: int
    wide: Optional[Decimal]
    narrow: Optional[int]
    low: Optional[int]
    high: Optional[int]


def fingerprint(result: DataFrame) -> Fingerprint:
    """Runs ``result`` by itself and sums it up: no operator ever sees both sides, so the
    check cannot be rewritten into something that is true by construction.

    Columns count by position. Their types must be hashable for Spark (all but maps).
    """
    from pyspark.sql import functions as F

    named = result.toDF(*(f"c{i}" for i in range(len(result.columns))))
    # Spark's hashes pass over NULL, so (NULL, 1) and (1, NULL) would count as equal without
    # saying which value is missing.
    parts = [p for c in named.columns for p in (F.col(c), F.col(c).isNull())]
    hashed = named.select(F.xxhash64(*parts).alias("h"), F.hash(*parts).alias("m"))
    row = hashed.agg(
        F.count(F.lit(1)),
        F.sum(F.col("h").cast("decimal(20,0)")),
        F.sum(F.col("m").cast("bigint")),
        F.min("h"),
        F.max("h"),
    ).collect()[0]
    return Fingerprint(row[0], row[1], row[2], row[3], row[4])
