# SPDX-License-Identifier: Apache-2.0
"""One session beside an extension, in a process of its own; prints a JSON for each step.

It reads its task from standard input. A line that begins with RESULT is an answer; everything else
is output of Spark.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from said import brief

import sparksieve
from sparksieve.demo.runner import settings

from .kinds import NEIGHBOURS
from .steps import Step, steps, tables

MARK = "RESULT "


def say(**message: Any) -> None:
    """Prints an answer."""
    print(MARK + json.dumps(message), flush=True)


def session(task: dict[str, Any]) -> SparkSession:
    """The session of the task."""
    neighbour = NEIGHBOURS[task["neighbour"]]
    builder = SparkSession.builder.appName(f"{neighbour.name}, {task['variant']}")
    confs = neighbour.session(task["variant"], task["jars"], Path(task["folder"]) / "warehouse")
    if neighbour.early:
        confs["spark.driver.extraClassPath"] = ":".join(task["jars"])
    for key, value in confs.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def digest(rows: DataFrame) -> str:
    """The number of the rows, and a hash of them that their order does not change."""
    texts = sorted(map(str, rows.collect()))
    return f"{len(texts)} {hashlib.sha256(chr(10).join(texts).encode()).hexdigest()[:12]}"


def one(spark: SparkSession, step: Step, sieve: bool) -> dict[str, Any]:
    """What a step gave, and what Sieve says of it."""
    start = time.perf_counter()
    applied, declined = [], []
    with settings(spark, dict(step.confs)):
        query = spark.sql(step.sql if sieve else step.plainly or step.sql)
        rows = digest(spark.sql(step.shows) if step.shows else query)
        if sieve and not step.shows:
            report = sparksieve.report(query)
            applied = sorted({row.rule for row in report.applied})
            declined = sorted({str(row.reason) for row in report.declined})
    return {
        "rows": rows,
        "applied": applied,
        "declined": declined,
        "seconds": round(time.perf_counter() - start, 2),
    }


def main() -> None:
    """Runs the steps of the task; one that fails does not stop the others."""
    task = json.loads(sys.stdin.readline())
    neighbour, folder = NEIGHBOURS[task["neighbour"]], Path(task["folder"])
    spark = session(task)
    sieve = sparksieve.is_active(spark)
    for sql in tables(neighbour, folder):
        spark.sql(sql)
    say(ready=sieve)
    for step in steps(neighbour, folder):
        try:
            found = one(spark, step, sieve)
        except Exception as failed:
            traceback.print_exc()
            found = {"error": brief(str(failed)) or type(failed).__name__}
        say(step=step.name, **found)
    spark.stop()


if __name__ == "__main__":
    main()
