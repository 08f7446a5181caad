# SPDX-License-Identifier: Apache-2.0
"""Measures joins and MERGEs of a lake table of many files, with Sieve off and on.

    python tests/bench/lake.py [--files 200] [--rows 2000000] [--keys 100] [--runs 5]
        [--format iceberg|delta] [--jar FILE] [--only joins|merges] [--scattered]

Needs pyspark 4.1 (Iceberg) or 4.2 (Delta: MERGE alone) and the package sparksieve with the jar of
that line (`./sbt wheel`, or `--jar`); Spark fetches the format. The table is clustered by its key.
Off and on alternate in one session; prints the data files and rows that each variant reads, the
median seconds of wall clock and of the process, and compares the rows. `by hand` has the range of
the keys written into the query. With `--scattered`, the keys of MERGE lie in all files, so that
nothing can be skipped.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

import sparksieve

# The package of the random commands, which has the name of this script.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lake.formats import settings as of_format  # noqa: E402

METRICS = {
    "number of result data files": "files",
    "number of files read": "files",
    "number of output rows": "rows",
}


class Variant(NamedTuple):
    """A query, and whether Sieve is on."""

    name: str
    sieve: bool
    sql: str


class Run(NamedTuple):
    """What one run took and read; seconds."""

    wall: float
    cpu: float
    files: int
    rows_read: int
    rows: Any


def session(warehouse: str, options: argparse.Namespace) -> SparkSession:
    """A local session with the table format and Sieve."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "4g",
        "spark.sql.shuffle.partitions": "4",
    } | of_format(options.format, warehouse)
    builder = SparkSession.builder.master("local[2]").appName("lake").config(map=settings)
    # What is measured is the scan, so its size is no reason to leave it alone.
    for gate in ("minScanBytes", "minScanRatio"):
        builder = builder.config(f"spark.sieve.dynamicFilter.{gate}", "0")
    return sparksieve.configure(builder, jar=options.jar).getOrCreate()


def create(spark: SparkSession, name: str, options: argparse.Namespace, mode: str) -> None:
    """An Iceberg table with columns `id`, `name` and `amount`, in files of adjacent ids."""
    spark.sql(f"""CREATE TABLE {name} (id BIGINT, name STRING, amount DOUBLE) USING iceberg
        TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = '{mode}',
            'write.distribution-mode' = 'none', 'write.merge.distribution-mode' = 'none')""")
    rows = spark.range(0, options.rows, 1, options.files)
    rows.selectExpr("id", "concat('name ', id) name", "id / 3.0D amount").writeTo(name).append()


def leaves(plan: Any) -> list[Any]:
    """The scans of a physical plan that has run."""
    name = plan.nodeName()
    if name.startswith("AdaptiveSparkPlan"):
        return leaves(plan.executedPlan())
    if "QueryStage" in name:
        return leaves(plan.plan())
    children = [plan.children().apply(k) for k in range(plan.children().size())]
    return [leaf for child in children for leaf in leaves(child)] if children else [plan]


def read(frame: Any) -> tuple[int, int]:
    """The data files and rows that the Iceberg scans of a query read."""
    files = rows = 0
    for leaf in leaves(frame._jdf.queryExecution().executedPlan()):
        metrics = leaf.metrics()
        if leaf.nodeName().startswith("BatchScan") and metrics.contains("resultDataFiles"):
            files += int(metrics.apply("resultDataFiles").value())
            rows += int(metrics.apply("numOutputRows").value())
    return files, rows


def cpu_seconds(spark: SparkSession) -> float:
    """The processor time of the JVM so far, user and system (Linux)."""
    process = spark.sparkContext._gateway.proc.pid  # type: ignore[union-attr]
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(spark: SparkSession, variant: Variant) -> Run:
    """Runs a query once."""
    spark.conf.set("spark.sieve.enabled", str(variant.sieve).lower())
    start, cpu = time.perf_counter(), cpu_seconds(spark)
    frame = spark.sql(variant.sql)
    rows = frame.collect()
    wall, used = time.perf_counter() - start, cpu_seconds(spark) - cpu
    return Run(wall, used, *read(frame), sorted(rows))


def table(title: str, runs: dict[str, list[Run]]) -> None:
    """Prints a line for each variant, and the ratio of its time to that of the first."""
    print(
        f"\n{title}\n{'variant':<12}{'files':>8}{'rows read':>12}{'wall s':>9}{'cpu s':>8}  ratio"
    )
    first = statistics.median(r.wall for r in next(iter(runs.values())))
    for name, found in runs.items():
        wall = statistics.median(r.wall for r in found)
        cpu = statistics.median(r.cpu for r in found)
        last = found[-1]
        print(
            f"{name:<12}{last.files:>8,}{last.rows_read:>12,}{wall:>9.2f}{cpu:>8.2f}"
            f"  {first / wall:.2f}x"
        )


def alternating(title: str, spark: SparkSession, variants: list[Variant], times: int) -> None:
    """Runs the variants in turn, once to warm up, and compares their rows."""
    runs: dict[str, list[Run]] = {v.name: [] for v in variants}
    for number in range(times + 1):
        for variant in variants:
            found = run(spark, variant)
            if number:
                runs[variant.name].append(found)
    rows = [r.rows for found in runs.values() for r in found]
    assert all(r == rows[0] for r in rows), f"{title}: other rows"
    table(title, runs)


def joins(spark: SparkSession, options: argparse.Namespace) -> None:
    """Joins with adjacent keys of one file."""
    create(spark, "ice.db.t", options, "merge-on-read")
    low = options.rows // 2
    keys = spark.range(low, low + 2 * options.keys).selectExpr("id", "id % 2 AS half")
    keys.write.mode("overwrite").saveAsTable("keys")
    join = "SELECT t.id, t.name FROM ice.db.t t JOIN keys k ON t.id = k.id WHERE k.half < 1"
    hand = f"{join} AND t.id BETWEEN {low} AND {low + 2 * options.keys - 1}"
    variants = [
        Variant("off", False, join),
        Variant("on", True, join),
        Variant("by hand", False, hand),
        Variant("off again", False, join),
    ]
    for kind, threshold in (("shuffled", "-1"), ("broadcast", "10MB")):
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", threshold)
        alternating(f"join, {kind}, {options.keys} keys", spark, variants, options.runs)


def last_execution(spark: SparkSession) -> int:
    """The number of SQL executions so far."""
    return int(spark._jsparkSession.sharedState().statusStore().executionsCount())


def reads_of_scans(spark: SparkSession, first: int, name: str) -> list[tuple[int, int]]:
    """The files and rows that each scan of the table read in the executions since `first`.

    For the scan of a copy-on-write operation, Iceberg reports the files that were planned.
    """
    time.sleep(0.5)
    store = spark._jsparkSession.sharedState().statusStore()
    found = []
    executions = store.executionsList(first, 1000)
    for k in range(executions.size()):
        execution = executions.apply(k).executionId()
        values = store.executionMetrics(execution)
        nodes = store.planGraph(execution).allNodes()
        for n in range(nodes.size()):
            node = nodes.apply(n)
            if "Scan" not in node.name() or not node.name().endswith(f".{name}"):
                continue
            read = {"files": 0, "rows": 0}
            for m in range(node.metrics().size()):
                metric = node.metrics().apply(m)
                text = values.get(metric.accumulatorId())
                if metric.name() in METRICS and text.isDefined():
                    read[METRICS[metric.name()]] = int(text.get().replace(",", ""))
            found.append((read["files"], read["rows"]))
    return found


def create_delta(spark: SparkSession, name: str, options: argparse.Namespace, mode: str) -> None:
    """A Delta table like that of `create`."""
    vectors = str(mode == "deletion vectors").lower()
    rows = spark.range(0, options.rows, 1, options.files)
    frame = rows.selectExpr("id", "concat('name ', id) name", "id / 3.0D amount").write
    frame.format("delta").option("delta.enableDeletionVectors", vectors).saveAsTable(name)


def merges(spark: SparkSession, options: argparse.Namespace) -> None:
    """MERGE of adjacent or scattered keys into equal tables, which must stay equal."""
    step = options.rows // options.keys if options.scattered else 1
    low = 0 if options.scattered else options.rows // 2 - options.keys // 2
    hand = f"AND t.id BETWEEN {low} AND {low + (options.keys - 1) * step}"
    if options.format == "delta":
        modes, prefix, make = ("files rewritten", "deletion vectors"), "default.", create_delta
    else:
        modes, prefix, make = ("copy-on-write", "merge-on-read"), "ice.db.", create
    source = spark.range(options.keys).selectExpr(f"id * {step} + {low} AS id", "id * 2 AS v")
    source.write.mode("overwrite").saveAsTable("source")
    for mode in modes:
        runs: dict[str, list[tuple[float, Any]]] = {"off": [], "on": [], "hand": []}
        tables: dict[str, Any] = {}
        for name in runs:
            make(spark, prefix + name, options, mode)
        for number in range(options.runs):
            for name, found in runs.items():
                spark.conf.set("spark.sieve.enabled", str(name == "on").lower())
                first, start = last_execution(spark), time.perf_counter()
                spark.sql(f"""MERGE INTO {prefix}{name} t USING source s
                    ON t.id = s.id {hand if name == "hand" else ""}
                    WHEN MATCHED THEN UPDATE SET amount = s.v + {number}
                    WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, 'new', s.v)""")
                wall = time.perf_counter() - start
                found.append((wall, reads_of_scans(spark, first, name)))
                digest = "count(*)", "sum(xxhash64(id, name, amount) % 1000003)"
                tables[name] = spark.table(prefix + name).selectExpr(*digest).collect()
            assert tables["off"] == tables["on"] == tables["hand"], f"MERGE {mode}: other tables"
        print(f"\nMERGE, {mode}, {options.keys} keys; tables equal")
        print(f"{'variant':<12}{'wall s':>9}  ratio  files and rows read by scan, first MERGE")
        off = statistics.median(wall for wall, _ in runs["off"])
        for name, found in runs.items():
            wall = statistics.median(wall for wall, _ in found)
            print(f"{name:<12}{wall:>9.2f}  {off / wall:.2f}x  {found[0][1]}")
            spark.sql(f"DROP TABLE {prefix}{name}")


def main() -> None:
    """Runs everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    numbers: dict[str, int] = {"files": 200, "rows": 2_000_000, "keys": 100, "runs": 5}
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--format", choices=("iceberg", "delta"), default="iceberg")
    parser.add_argument("--only", choices=("joins", "merges"))
    parser.add_argument("--scattered", action="store_true", help="the keys of MERGE, in all files")
    parser.add_argument("--jar", help="Sieve's jar, if not that of the package")
    options = parser.parse_args()
    options.jar = options.jar and str(Path(options.jar).absolute())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        spark = session(f"{folder}/warehouse", options)
        parts: list[Callable[[SparkSession, argparse.Namespace], None]] = [joins, merges]
        for part in parts:
            # Delta's own joins need no benchmark here: the log's statistics skip files.
            if part.__name__ == (options.only or part.__name__) and (
                part is merges or options.format == "iceberg"
            ):
                part(spark, options)
        spark.stop()


if __name__ == "__main__":
    main()
