# SPDX-License-Identifier: Apache-2.0
"""Finds the Spark that this Python would start: its home, version and Scala version."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from sparksieve.errors import (
    SparkHomeError,
    SparkNotFoundError,
    UnsupportedSparkError,
    WrongScalaError,
)

#: The Spark lines that have a Sieve jar, and the Scala versions of each.
SUPPORTED: dict[str, tuple[str, ...]] = {
    "3.5": ("2.12", "2.13"),
    "4.0": ("2.13",),
    "4.1": ("2.13",),
    "4.2": ("2.13",),
    "4.3": ("2.13",),
}

INSTALL_HINT = 'Install it with: pip install "sparksieve[spark]" (or pip install pyspark)'

_CORE_JAR = re.compile(r"spark-core_(\d+\.\d+)-(\d+\.\d+[^/]*)\.jar$")
_SCALA_JAR = re.compile(r"scala-library-(\d+\.\d+)\.[^/]*\.jar$")


@dataclass(frozen=True)
class SparkInstall:
    """A Spark on this machine.

    `pyspark_version` is that of the Python package, `spark_version` that of the jars in `home`
    (they differ when SPARK_HOME points at another Spark), `scala` the binary version, such as
    "2.13".
    """

    pyspark_version: str
    home: Path
    spark_version: str
    scala: str
    from_spark_home: bool

    @property
    def jars(self) -> Path:
        """The folder with Spark's own jars."""
        return self.home / "jars"

    @property
    def line(self) -> str:
        """The Spark line, such as "4.3". Raises `UnsupportedSparkError`."""
        return line_of(self.spark_version)


def supported_text() -> str:
    """The supported lines as one phrase, for messages."""
    return ", ".join(SUPPORTED)


def line_of(version: str) -> str:
    """The line of a Spark version: "4.1.3" and "4.1" both give "4.1".

    Raises `UnsupportedSparkError` when no jar exists for it.
    """
    found = re.match(r"(\d+\.\d+)(?:\D|$)", version)
    if not found or found.group(1) not in SUPPORTED:
        raise UnsupportedSparkError(
            f"Sieve has no jar for Spark {version}; it supports the lines {supported_text()}. "
            'Install one of them, for example: pip install "pyspark>=3.5,<4.4"'
        )
    return found.group(1)


def scala_of(version: str, line: str) -> str:
    """The Scala binary version ("2.13") of `version`, checked against the versions of `line`.

    Raises `WrongScalaError` when Sieve has no jar of that line for that Scala.
    """
    found = re.match(r"(\d+\.\d+)(?:\D|$)", version)
    binary = found.group(1) if found else version
    if binary not in SUPPORTED[line]:
        raise WrongScalaError(
            f"Sieve has no jar for Spark {line} on Scala {version}; for Spark {line} it has "
            f"Scala {' and '.join(SUPPORTED[line])}. Use a Spark built for that Scala."
        )
    return binary


def pyspark_version() -> str:
    """The version of the installed pyspark. Raises `SparkNotFoundError` when there is none."""
    try:
        import pyspark
    except ImportError as missing:
        raise SparkNotFoundError(f"pyspark is not installed. {INSTALL_HINT}.") from missing
    return str(pyspark.__version__)


def find_install() -> SparkInstall:
    """The Spark that pyspark would start here: SPARK_HOME if set, else pyspark's own.

    Raises `SparkNotFoundError` when pyspark is missing or Spark's home has no jars.
    """
    version = pyspark_version()
    spark_home = os.environ.get("SPARK_HOME")
    home = Path(spark_home) if spark_home else _bundled_home()
    spark, scala = _read_jars(home / "jars")
    if not spark or not scala:
        where = f"SPARK_HOME={spark_home}" if spark_home else f"pyspark {version} at {home}"
        way_out = (
            "Unset SPARK_HOME to use the Spark inside pyspark."
            if spark_home
            else "It looks like a client-only pyspark, which can only talk to a Spark Connect "
            "server: start that server with Sieve, or install the full pyspark."
        )
        raise SparkNotFoundError(f"{where} has no Spark jars under {home / 'jars'}. {way_out}")
    return SparkInstall(version, home, spark, scala, bool(spark_home))


def check_spark_home(install: SparkInstall) -> None:
    """Raises `SparkHomeError` when SPARK_HOME points to a Spark of another line than pyspark.

    pyspark calls the Spark by names that change between lines; within a line they do not.
    """
    same_line = install.spark_version.split(".")[:2] == install.pyspark_version.split(".")[:2]
    if install.from_spark_home and not same_line:
        raise spark_home_differs(install)


def spark_home_differs(install: SparkInstall) -> SparkHomeError:
    """The error, or the doctor's warning, for a SPARK_HOME of another version than pyspark."""
    return SparkHomeError(
        f"SPARK_HOME={install.home} is Spark {install.spark_version}, but pyspark is "
        f"{install.pyspark_version}. Unset SPARK_HOME to use the Spark inside pyspark, or install "
        f"pyspark=={install.spark_version}."
    )


def _bundled_home() -> Path:
    import pyspark

    package = Path(str(pyspark.__file__)).resolve().parent
    # A Spark download keeps pyspark under python/pyspark; a wheel keeps Spark inside pyspark.
    candidates = [package / "spark-distribution", package, package.parent.parent]
    for candidate in candidates:
        if (candidate / "jars").is_dir():
            return candidate
    return package


def _read_jars(jars: Path) -> tuple[str | None, str | None]:
    spark = scala = None
    if jars.is_dir():
        for name in sorted(os.listdir(jars)):
            core = _CORE_JAR.match(name)
            library = _SCALA_JAR.match(name)
            if core:
                spark = core.group(2)
            if library:
                scala = library.group(1)
    return spark, scala
