# SPDX-License-Identifier: Apache-2.0
"""Runs a query with Sieve off and on, and fails unless Sieve changed the plan and not the rows.

usage: query.py [VERSION]

With the version of the Python package, which must be installed, the package starts Spark with
Sieve. Otherwise the options of `spark-submit` have done so.
"""

from __future__ import annotations

import sys
import tempfile
from typing import Any

from pyspark.sql import SparkSession

QUERY = """SELECT month, tailnum FROM flights WHERE month < 6
EXCEPT ALL SELECT month, tailnum FROM flights WHERE month = 3"""


def check(holds: bool, otherwise: str) -> None:
    """Ends the program with a message unless something holds."""
    if not holds:
        sys.exit(f"query.py: {otherwise}")


def configured(builder: Any, version: str) -> Any:
    """The builder with Sieve, from the installed package of this version."""
    import sparksieve

    check(sparksieve.__version__ == version, f"sparksieve {sparksieve.__version__} is installed")
    return sparksieve.configure(builder)


def scans(spark: SparkSession, enabled: bool) -> tuple[int, list[Any]]:
    """How many scans the optimized plan of the query has, and the rows of the query."""
    spark.conf.set("spark.sieve.setop.enabled", str(enabled).lower())
    query = spark.sql(QUERY)
    plan = query._jdf.queryExecution().optimizedPlan().toString()
    return plan.count("Relation ["), sorted(query.collect())


def main(versions: list[str]) -> None:
    """Makes a table, and runs the query on it."""
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[1]").config(map=quiet)
    for version in versions:
        builder = configured(builder, version)
    spark = builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        rows = spark.range(1000).selectExpr(
            "id % 12 + 1 AS month", "concat('N', id % 7) AS tailnum"
        )
        rows.write.parquet(f"{folder}/flights")
        spark.read.parquet(f"{folder}/flights").createOrReplaceTempView("flights")
        before, expected = scans(spark, enabled=False)
        after, actual = scans(spark, enabled=True)
        check(before == 2, f"the plan without Sieve has {before} scans, not 2")
        check(after == 1, f"the plan with Sieve has {after} scans, not 1")
        check(len(expected) > 0, "the query has no rows, so nothing was compared")
        check(
            actual == expected, f"{len(expected)} rows without Sieve, other {len(actual)} with it"
        )
        report = spark.sql(f"SELECT * FROM sieve_report('{QUERY}')").collect()
        applied = [row.asDict() for row in report if "applied" in [str(cell) for cell in row]]
        check(bool(applied), f"the report has nothing that was applied: {report}")
    spark.stop()
    print(f"Spark {spark.version}: {before} scans became {after}, {len(actual)} rows are the same")


if __name__ == "__main__":
    main(sys.argv[1:])
