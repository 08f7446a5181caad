# SPDX-License-Identifier: Apache-2.0
"""Measures joins and MERGEs of an Iceberg table of many files, with Sieve off and on.

    python tests/bench/lake.py [--files 200] [--rows 2000000] [--keys 100] [--runs 5]

Needs pyspark 4.1 and the package sparksieve with the jar of that line (`./sbt wheel`); Spark
fetches Iceberg. The table is clustered by its key. Off and on alternate in one session; prints the data
files and rows that each variant reads, the median seconds of wall clock and of the process, and
compares the rows. `by hand` has the range of the keys written into the query.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

import sparksieve

ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0"


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


def session(warehouse: str) -> SparkSession:
    """A local session with Iceberg and Sieve."""
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("lake")
        .config("spark.jars.packages", ICEBERG)
        .config(
            "spark.sql.extensions",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        )
        .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.ice.type", "hadoop")
        .config("spark.sql.catalog.ice.warehouse", warehouse)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.shuffle.partitions", "4")
    )
    # What is measured is the scan, so its size is no reason to leave it alone.
    for gate in ("minScanBytes", "minScanRatio"):
        builder = builder.config(f"spark.sieve.dynamicFilter.{gate}", "0")
    builder = builder.config("spark.sieve.dynamicFilter.rebuildScans", "true")
    return sparksieve.configure(builder).getOrCreate()


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


def merges(spark: SparkSession, options: argparse.Namespace) -> None:
    """MERGE of adjacent keys of two files into two equal tables, which must stay equal."""
    low = options.rows // 2 - options.keys // 2
    for mode in ("copy-on-write", "merge-on-read"):
        seconds: dict[str, list[float]] = {"off": [], "on": []}
        tables: dict[str, Any] = {}
        for name in seconds:
            create(spark, f"ice.db.{name}", options, mode)
        for number in range(options.runs):
            for name in seconds:
                spark.conf.set("spark.sieve.enabled", str(name == "on").lower())
                start = time.perf_counter()
                spark.sql(f"""MERGE INTO ice.db.{name} t USING (
                    SELECT id, id + {number} v FROM range({low}, {low + options.keys})
                    WHERE id % 2 = {number % 2}) s ON t.id = s.id
                    WHEN MATCHED THEN UPDATE SET amount = s.v
                    WHEN NOT MATCHED THEN INSERT (id, name, amount) VALUES (s.id, 'new', s.v)""")
                seconds[name].append(time.perf_counter() - start)
                digest = (
                    f"SELECT count(*), sum(xxhash64(id, name, amount) % 1000003) FROM ice.db.{name}"
                )
                tables[name] = spark.sql(digest).collect()
            assert tables["off"] == tables["on"], f"MERGE {mode}: other tables"
        off, on = (statistics.median(seconds[n]) for n in ("off", "on"))
        print(f"\nMERGE, {mode}: off {off:.2f} s, on {on:.2f} s, {off / on:.2f}x; tables equal")
        for name in seconds:
            spark.sql(f"DROP TABLE ice.db.{name} PURGE")


def main() -> None:
    """Runs everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    numbers: dict[str, int] = {"files": 200, "rows": 2_000_000, "keys": 100, "runs": 5}
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        spark = session(f"{folder}/ice")
        parts: list[Callable[[SparkSession, argparse.Namespace], None]] = [joins, merges]
        for part in parts:
            part(spark, options)
        spark.stop()


if __name__ == "__main__":
    main()
