# SPDX-License-Identifier: Apache-2.0
"""Which Spark is found, and which versions are refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pyspark
import pytest

from sparksieve import SparkNotFoundError, UnsupportedSparkError, WrongScalaError
from sparksieve._setup.install import find_install, line_of, scala_of
from support import write_spark_home


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("3.5.9", "3.5"),
        ("4.0", "4.0"),
        ("4.3.0", "4.3"),
        ("4.1.0.dev1", "4.1"),
        ("3.5.4-amzn-0", "3.5"),
    ],
)
def test_a_version_gives_its_line(version: str, line: str) -> None:
    assert line_of(version) == line


@pytest.mark.parametrize("version", ["3.4.1", "4.4.0", "4.30.1", "2.4", "nonsense", ""])
def test_an_unsupported_spark_is_refused_with_the_supported_lines(version: str) -> None:
    with pytest.raises(UnsupportedSparkError, match=r"3\.5, 4\.0, 4\.1, 4\.2, 4\.3"):
        line_of(version)


def test_scala_is_reduced_to_its_binary_version() -> None:
    assert scala_of("2.12.18", "3.5") == "2.12"
    assert scala_of("2.13", "3.5") == "2.13"


@pytest.mark.parametrize("scala", ["2.12.18", "3.3.1", "2.1"])
def test_a_scala_without_a_jar_is_refused(scala: str) -> None:
    with pytest.raises(WrongScalaError, match=r"it has Scala 2\.13"):
        scala_of(scala, "4.1")


def test_the_installed_spark_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    install = find_install()
    assert install.spark_version == install.pyspark_version == pyspark.__version__
    assert install.scala in ("2.12", "2.13")
    assert list(install.jars.glob(f"spark-core_{install.scala}-*.jar"))
    assert not install.from_spark_home


def test_spark_home_wins_as_it_does_for_pyspark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = write_spark_home(tmp_path / "spark", "4.1.3", "2.13.17")
    monkeypatch.setenv("SPARK_HOME", str(home))
    install = find_install()
    assert (install.line, install.scala, install.from_spark_home) == ("4.1", "2.13", True)
    assert install.pyspark_version == pyspark.__version__


def test_a_spark_home_without_jars_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with pytest.raises(SparkNotFoundError, match="Unset SPARK_HOME") as caught:
        find_install()
    assert str(tmp_path) in str(caught.value)


def test_a_missing_pyspark_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SparkNotFoundError, match="pip install"):
        find_install()
