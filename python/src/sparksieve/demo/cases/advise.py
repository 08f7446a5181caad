# SPDX-License-Identifier: Apache-2.0
"""Advice on layouts: a query before and after its table is written as the advice says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sparksieve
from sparksieve.demo.case import Case, Tables
from sparksieve.demo.folders import complete

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUERY = """
SELECT id, name, salary FROM {table}
WHERE salary BETWEEN 75000 AND 75900
"""


def written_as_advised(spark: SparkSession, tables: Tables) -> DataFrame:
    """The query over a copy of the employees in the layout that is advised for it."""
    copy = Path(tables.folder) / "employee_advised"
    if not copy.exists():
        best = sparksieve.advise(QUERY.format(table="employee"), spark).tables[0].best
        if best is None or best.kind != "sort":
            raise ValueError("no sort order of the employees is advised")
        rows = spark.table("employee").repartitionByRange(best.size.files, *best.columns)
        with complete(copy) as part:
            ordered = rows.sortWithinPartitions(*best.columns)
            ordered.write.mode("overwrite").parquet(part.as_uri())
    return spark.sql(QUERY.format(table=f"parquet.`{copy.as_uri()}`"))


CASES: list[Case] = [
    Case(
        "advised-layout",
        "A table written as advised",
        "The salaries are in no order, so each of 40 files holds some of the range. "
        "sparksieve.advise reads the footers and a sample, predicts what the query would read of "
        "other layouts, and says which to write; here a copy is written so.",
        written_as_advised,
        alone=QUERY.format(table="employee"),
        short=True,
        change="files sorted by salary",
    ),
]
