# SPDX-License-Identifier: Apache-2.0
"""Spark: alone, with its Bloom filter, with Sieve, with Comet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from . import Kind, Limits, Row, Scanned

COMET = {
    "spark.plugins": "org.apache.spark.CometPlugin",
    "spark.shuffle.manager": ("org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager"),
    "spark.memory.offHeap.enabled": "true",
}


def confs(kind: Kind, limits: Limits, jars: dict[str, str]) -> dict[str, str]:
    """The confs of a session: Spark's defaults but for memory, threads and what `kind` adds."""
    # Comet works outside of the heap, so it gets half of the memory there.
    heap = limits.memory // 2 if kind.comet else limits.memory
    found = {
        "spark.master": f"local[{limits.threads}]",
        "spark.driver.memory": f"{heap}g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        **kind.confs,
    }
    used = [jars[name] for name in ("sieve", "comet") if getattr(kind, name)]
    if used:
        found["spark.jars"] = ",".join(used)
    if kind.sieve:
        found["spark.sql.extensions"] = "io.sparksieve.SieveExtensions"
    if kind.comet:
        found |= COMET
        found["spark.memory.offHeap.size"] = f"{limits.memory - heap}g"
        # Comet's plugin is loaded before Spark adds the jars.
        found["spark.driver.extraClassPath"] = jars["comet"]
    return found


# Bytes and rows that each attempt of a stage read from files.
Stages = dict[tuple[int, int], tuple[int, int]]


class Spark:
    """A local session."""

    def __init__(
        self, kind: Kind, limits: Limits, tables: dict[str, list[str]], jars: dict[str, str]
    ) -> None:
        os.environ.pop("SPARK_HOME", None)
        builder: Any = SparkSession.builder.appName("peers")
        for key, value in confs(kind, limits, jars).items():
            builder = builder.config(key, value)
        self.spark: SparkSession = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")
        for name, files in tables.items():
            self.spark.read.parquet(*files).createOrReplaceTempView(name)

        self.jars = [path for name, path in jars.items() if getattr(kind, name)]

    def version(self) -> dict[str, str]:
        """The versions of Spark, of Java, and of the jars, whose names end with them."""
        jvm: Any = self.spark.sparkContext._jvm
        found = {"Spark": self.spark.version, "Java": jvm.System.getProperty("java.version")}
        for jar in self.jars:
            name, version = Path(jar).stem.rsplit("-", 1)
            found["Sieve" if name.startswith("sparksieve") else "Comet"] = version
        return found

    def processes(self) -> list[int]:
        """This process and the JVM."""
        context: Any = self.spark.sparkContext
        return [os.getpid(), context._gateway.proc.pid]

    def run(self, sql: str) -> list[Row]:
        """Collects the rows."""
        return [tuple(row) for row in self.spark.sql(sql).collect()]

    def mark(self) -> Stages:
        """The stages that have run."""
        return self._stages()

    def scanned(self, mark: Stages) -> Scanned:
        """The rows of later stages; Hadoop does not count the bytes of vectored local reads."""
        return self._scanned(mark)._replace(bytes=None)

    def counted(self, sql: str) -> tuple[list[Row], Scanned]:
        """Collects the rows; the counters are the input metrics of tasks."""
        # So that Hadoop counts all bytes.
        self.spark.conf.set("parquet.hadoop.vectored.io.enabled", "false")
        before = self._stages()
        rows = self.run(sql)
        scanned = self._scanned(before)
        self.spark.conf.unset("parquet.hadoop.vectored.io.enabled")
        return rows, scanned

    def _scanned(self, before: Stages) -> Scanned:
        """What the stages have read that did not exist before."""
        new = [found for stage, found in self._stages().items() if stage not in before]
        return Scanned(sum(b for b, _ in new), sum(r for _, r in new))

    def _stages(self) -> Stages:
        """What the stages have read that Spark still knows."""
        context: Any = self.spark.sparkContext
        scala: Any = context._jsc.sc()
        jvm: Any = context._jvm
        # Listeners get their events late.
        scala.listenerBus().waitUntilEmpty()
        none = context._gateway.new_array(jvm.double, 0)
        stages = scala.statusStore().stageList(None, False, False, none, jvm.java.util.ArrayList())
        found = {}
        for index in range(stages.size()):
            stage = stages.apply(index)
            key = (stage.stageId(), stage.attemptId())
            found[key] = (stage.inputBytes(), stage.inputRecords())
        return found

    def plan(self, sql: str) -> str:
        """The physical plan of a query that has run."""
        frame: DataFrame = self.spark.sql(sql)
        frame.collect()
        return str(frame._jdf.queryExecution().executedPlan())

    def close(self) -> None:
        """Ends the session and its JVM."""
        self.spark.stop()
