# SPDX-License-Identifier: Apache-2.0
"""The Sieve jars in the wheel, and the properties of a jar."""

from __future__ import annotations

import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from sparksieve._setup.install import line_of, scala_of
from sparksieve._version import __version__
from sparksieve.errors import JarNotFoundError, WrongJarError, WrongScalaError

#: Where the wheel keeps its jars.
JARS = Path(__file__).parents[1] / "jars"

#: The file names of Sieve's jars, in any folder.
JAR_NAME = re.compile(r"sparksieve-spark-(\d+\.\d+)_(\d+\.\d+)-(.+)\.jar$")

_PROPERTIES = "META-INF/sparksieve.properties"


@dataclass(frozen=True)
class JarFacts:
    """The contents of a jar's `META-INF/sparksieve.properties`."""

    version: str
    line: str
    scala: str


def jar_name(line: str, scala: str) -> str:
    """The file name of the jar of this version for a Spark line and a Scala binary version."""
    return f"sparksieve-spark-{line}_{scala}-{__version__}.jar"


def bundled_jar(spark: str, scala: str) -> Path:
    """The wheel's jar for a Spark version ("4.1" or "4.1.3") and a Scala version ("2.13").

    Raises `UnsupportedSparkError`, `WrongScalaError` or `JarNotFoundError`.
    """
    line = line_of(spark)
    path = JARS / jar_name(line, scala_of(scala, line))
    if not path.is_file():
        present = sorted(found.name for found in JARS.glob("*.jar")) if JARS.is_dir() else []
        raise JarNotFoundError(
            f"This installation of sparksieve does not contain {path.name} "
            f"(looked in {JARS}; found there: {', '.join(present) or 'no jar'}). Reinstall it with "
            "pip install --force-reinstall sparksieve; in a source checkout run ./sbt wheel and "
            "install the wheel from dist/; or pass jar=<path>."
        )
    return path


def read_jar(path: Path) -> JarFacts:
    """Reads the Sieve version, Spark line and Scala version of a jar.

    Raises `JarNotFoundError` when there is no such file or it is not a Sieve jar.
    """
    if not path.is_file():
        raise JarNotFoundError(
            f"There is no jar at {path}. `python -m sparksieve jar` prints the path of the one "
            "that this package carries."
        )
    try:
        with zipfile.ZipFile(path) as archive:
            text = archive.read(_PROPERTIES).decode("utf-8")
    except (KeyError, zipfile.BadZipFile) as wrong:
        raise JarNotFoundError(
            f"{path} is not a Sieve jar (it has no {_PROPERTIES}). `python -m sparksieve jar` "
            "prints the path of the right one."
        ) from wrong
    facts: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith(("#", "!")):
            facts[key.strip()] = value.strip()
    try:
        return JarFacts(facts["version"], facts["spark.line"], facts["scala.binary"])
    except KeyError as missing:
        raise JarNotFoundError(
            f"{path}: {_PROPERTIES} lacks {missing}, so the jar's Spark version is unknown. "
            "Rebuild it, or use the one that `python -m sparksieve jar` prints."
        ) from missing


def check_jar(path: Path, line: str, scala: str) -> JarFacts:
    """Checks that the jar at `path` is for this Spark line and Scala binary version.

    Raises `JarNotFoundError`, `WrongScalaError` or `WrongJarError`.
    """
    facts = read_jar(path)
    right = f"Use the one that `python -m sparksieve jar --spark {line} --scala {scala}` prints."
    if facts.line != line:
        raise WrongJarError(
            f"{path} was built for Spark {facts.line}, but the Spark in use is {line}. {right}"
        )
    if facts.scala != scala:
        raise WrongScalaError(
            f"{path} was built for Scala {facts.scala}, but the Spark in use runs on Scala "
            f"{scala}. {right}"
        )
    return facts


def sieve_jars_in(folder: Path) -> list[Path]:
    """The Sieve jars directly in a folder, sorted by name."""
    if not folder.is_dir():
        return []
    return [folder / name for name in sorted(os.listdir(folder)) if JAR_NAME.match(name)]
