# SPDX-License-Identifier: Apache-2.0
"""The Spark session of the demo, and what the page says about it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sparksieve.demo.errors import DemoError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.memory": "2g",
    "spark.sql.session.timeZone": "UTC",
    # Spark's default of 200 would make the shuffles without Sieve look worse than they are.
    "spark.sql.shuffle.partitions": "8",
    # Vectored reads run on other threads, so Spark's count of bytes read misses them.
    "spark.hadoop.parquet.hadoop.vectored.io.enabled": "false",
    # Plans are shown and compared; nineteen columns at every relation would hide the rest.
    "spark.sql.debug.maxToStringFields": "8",
}

SHOWN = ("spark.sql.shuffle.partitions", "spark.sql.adaptive.enabled", "spark.driver.memory")


@contextmanager
def _errors_to(log: Path) -> Iterator[None]:
    """Makes processes that start in the block write their standard error to ``log``."""
    sys.stderr.flush()
    own = os.dup(2)
    try:
        with log.open("wb") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(own, 2)
        os.close(own)


def start(master: str, log: Path) -> SparkSession:
    """A new session with Sieve in it, whose JVM writes warnings and errors to the file ``log``.

    :raises DemoError: no pyspark, no Java, or the extension is not active.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise DemoError("pyspark is not installed: pip install pyspark") from None
    import sparksieve

    if os.environ.get("SPARK_REMOTE"):
        raise DemoError(
            "SPARK_REMOTE is set, and the demo needs a classic session of its own: it reads "
            "Spark's metrics, which Connect does not show. Unset it and run again."
        )
    if SparkSession.getActiveSession() is not None:
        raise DemoError(
            "a Spark session is running in this process, and the demo starts and stops its own. "
            "Stop that one first, or run python -m sparksieve demo in a process of its own."
        )
    builder = SparkSession.builder.master(master).appName("sparksieve demo")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    try:
        with _errors_to(log):
            spark: SparkSession = sparksieve.configure(builder).getOrCreate()
    except Exception as error:
        # The user can fix whatever keeps Spark from starting.
        raise DemoError(
            f"cannot start Spark with Sieve: {error}\n"
            f"Spark's own messages are in {log.absolute()}. "
            "python -m sparksieve doctor checks Java, Spark and the jar."
        ) from error
    if not sparksieve.is_active(spark):
        spark.stop()
        raise DemoError(
            "the Sieve extension is not active in the Spark session, so there is nothing to "
            "compare; python -m sparksieve doctor says why"
        )
    return spark


def describe(spark: SparkSession) -> dict[str, str]:
    """The settings that affect times, by the names that the page shows."""
    # Only py4j gives these values, and Spark Connect has none; the demo's session is classic.
    jvm: Any = spark.sparkContext._jvm
    java = jvm.java.lang.System.getProperty
    settings: dict[str, str] = {
        "Spark": str(spark.version),
        "Scala": str(jvm.scala.util.Properties.versionNumberString()),
        "Java": f"{java('java.version')} ({java('java.vm.name')})",
        "Python": platform.python_version(),
        "System": f"{platform.system()} {platform.machine()}",
        "Master": str(spark.sparkContext.master),
        "Cores used": str(spark.sparkContext.defaultParallelism),
    }
    return settings | {key: str(spark.conf.get(key)) for key in SHOWN}
