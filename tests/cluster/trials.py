# SPDX-License-Identifier: Apache-2.0
"""The trials: a fault, or another way of starting Spark, with its settings and its cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import compiled
from .faults import FAULTS, Fault

ALL, ONE, UDF = "all", "one a feature", "with functions of users"

EXTENSION = "io.sparksieve.SieveExtensions"

JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

SETTINGS = {
    "spark.executor.memory": "768m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": JAVA,
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.port": "0",
    "spark.ui.showConsoleProgress": "false",
    # Faults look at running stages, whose figures Spark else updates ten times a second.
    "spark.ui.liveUpdate.period": "0",
    "spark.port.maxRetries": "64",
    "spark.log.level": "WARN",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "4",
    # Many small tasks, so that a fault strikes between the first and the last.
    "spark.sql.files.maxPartitionBytes": "512k",
    "spark.sql.files.openCostInBytes": "64k",
    # A fetch that fails shall fail at once, and not after three times five seconds.
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
    "spark.sql.extensions": EXTENSION,
}


@dataclass(frozen=True)
class Trial:
    """One row of the matrix: settings, a fault, the way to the jar, and the cases."""

    name: str
    fault: Fault = FAULTS["none"]
    conf: Mapping[str, str] = field(default_factory=dict)
    cases: str = ALL
    jar: str = "jars"
    own: bool = False
    """Whether Spark itself may fail with these settings, so that it runs alone first."""
    files: bool = False
    """Whether only queries that read files can notice the fault."""


def _trials() -> list[Trial]:
    speculation = {
        "spark.speculation": "true",
        "spark.speculation.interval": "50ms",
        "spark.speculation.multiplier": "1.1",
        "spark.speculation.quantile": "0.25",
        "spark.speculation.minTaskRuntime": "100ms",
        # Else tasks that read fast until they stop do not count as slow.
        "spark.speculation.efficiency.enabled": "false",
        # Else a stage of one task is never tried twice.
        "spark.speculation.task.duration.threshold": "1s",
    }
    leaving = {
        "spark.decommission.enabled": "true",
        "spark.storage.decommission.enabled": "true",
        "spark.storage.decommission.rddBlocks.enabled": "true",
        "spark.storage.decommission.shuffleBlocks.enabled": "true",
        # An executor ends once it has looked again for blocks to pass on.
        "spark.storage.decommission.replicationReattemptInterval": "1s",
    }
    # A task that reads many files fails at each of them, on each of the executors.
    patient = {"spark.task.maxFailures": "100"}
    files = {
        **patient,
        "spark.hadoop.fs.file.impl": "cluster.FailingFiles",
        "spark.executor.extraJavaOptions": f"{JAVA} -Dcluster.failing=true",
    }
    tasks = {**patient, "spark.plugins": "cluster.FailingTasks"}
    kryo = {
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
        "spark.kryo.registrationRequired": "true",
        # Spark's own jobs that read schemas return this, and Spark does not register it.
        "spark.kryo.classesToRegister": "org.apache.spark.sql.types.TimestampType$",
    }
    return [
        Trial("none", FAULTS["none"]),
        Trial("killed", FAULTS["killed"]),
        Trial("killed-late", FAULTS["killed-late"]),
        Trial("decommissioned", FAULTS["decommissioned"], leaving),
        Trial("speculation", FAULTS["speculation"], speculation),
        Trial("files", FAULTS["files"], files, files=True),
        Trial("tasks", FAULTS["tasks"], tasks),
        Trial("shuffle", FAULTS["shuffle"], {"spark.plugins": "cluster.LostShuffles"}),
        Trial("jars", cases=ONE),
        Trial("packages", cases=ONE, jar="packages"),
        Trial("classpath", cases=ONE, jar="classpath"),
        Trial("kryo", conf=kryo, own=True),
        Trial("udf", cases=UDF),
        Trial("udf-killed", FAULTS["killed"], cases=UDF),
        Trial("udf-kryo", conf=kryo, cases=UDF, own=True),
    ]


TRIALS: dict[str, Trial] = {trial.name: trial for trial in _trials()}


def submit_words(trial: Trial, home: Path, java: Path, sieve: Path) -> list[str]:
    """The arguments of `spark-submit` that bring the jars of a trial to driver and executors.

    `java` is the jar of the program's own Java classes, `sieve` is Sieve's.
    """
    paths = [java, sieve] if trial.jar == "classpath" else [java]
    path = ":".join(map(str, paths))
    words = ["--driver-class-path", path, "--conf", f"spark.executor.extraClassPath={path}"]
    if trial.jar == "jars":
        words += ["--jars", str(sieve)]
    elif trial.jar == "packages":
        root = compiled.repository(home, sieve)
        words += ["--packages", compiled.coordinates(), "--repositories", root.as_uri()]
        words += ["--conf", f"spark.jars.ivy={home / 'ivy'}"]
    return [*words, "pyspark-shell"]
