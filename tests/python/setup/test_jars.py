# SPDX-License-Identifier: Apache-2.0
"""The jars of the wheel, and wrong jars."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from sparksieve import JarNotFoundError, UnsupportedSparkError, WrongJarError, WrongScalaError
from sparksieve._setup.install import SUPPORTED
from sparksieve._setup.jars import JARS, bundled_jar, check_jar, read_jar, sieve_jars_in
from sparksieve._version import __version__
from support import write_jar

EVERY_JAR = [(line, scala) for line, scalas in SUPPORTED.items() for scala in scalas]


@pytest.mark.parametrize(("line", "scala"), EVERY_JAR)
def test_the_wheel_carries_a_jar_of_each_line(line: str, scala: str) -> None:
    path = bundled_jar(line, scala)
    assert path.name == f"sparksieve-spark-{line}_{scala}-{__version__}.jar"
    facts = check_jar(path, line, scala)
    assert facts.version == __version__
    with zipfile.ZipFile(path) as archive:
        assert "io/sparksieve/SieveExtensions.class" in archive.namelist()


def test_the_wheel_carries_no_other_jar() -> None:
    assert len(list(JARS.glob("*.jar"))) == len(EVERY_JAR)


def test_a_missing_jar_says_what_is_there_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_jar(tmp_path / "sparksieve-spark-4.0_2.13-0.1.0.jar", "0.1.0", "4.0", "2.13")
    monkeypatch.setattr("sparksieve._setup.jars.JARS", tmp_path)
    with pytest.raises(JarNotFoundError, match="force-reinstall") as caught:
        bundled_jar("4.1.3", "2.13")
    assert "sparksieve-spark-4.1_2.13-" in str(caught.value)
    assert "found there: sparksieve-spark-4.0_2.13-0.1.0.jar" in str(caught.value)


def test_a_jar_of_another_line_is_refused(tmp_path: Path) -> None:
    jar = write_jar(tmp_path / "x.jar", "0.1.0", "4.0", "2.13")
    with pytest.raises(WrongJarError, match=r"Spark 4\.0, but the Spark in use is 4\.1"):
        check_jar(jar, "4.1", "2.13")


def test_a_jar_of_another_scala_is_refused(tmp_path: Path) -> None:
    jar = write_jar(tmp_path / "x.jar", "0.1.0", "3.5", "2.12")
    with pytest.raises(WrongScalaError, match=r"Scala 2\.12, but .* Scala 2\.13") as caught:
        check_jar(jar, "3.5", "2.13")
    assert "python -m sparksieve jar --spark 3.5 --scala 2.13" in str(caught.value)


def test_a_file_that_is_no_sieve_jar_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.jar"
    text.write_text("not a zip")
    other = tmp_path / "other.jar"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
    for path in (text, other):
        with pytest.raises(JarNotFoundError, match="is not a Sieve jar"):
            read_jar(path)


def test_a_jar_that_does_not_say_its_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/sparksieve.properties", "version=0.1.0\n")
    with pytest.raises(JarNotFoundError, match=r"spark\.line"):
        read_jar(path)


def test_a_path_without_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JarNotFoundError, match="There is no jar at"):
        read_jar(tmp_path / "none.jar")


def test_an_unsupported_line_has_no_jar() -> None:
    with pytest.raises(UnsupportedSparkError):
        bundled_jar("3.4.0", "2.12")


def test_sieve_jars_are_told_by_their_names(tmp_path: Path) -> None:
    mine = write_jar(tmp_path / "sparksieve-spark-4.0_2.13-0.0.9.jar", "0.0.9", "4.0", "2.13")
    (tmp_path / "spark-core_2.13-4.0.4.jar").touch()
    assert sieve_jars_in(tmp_path) == [mine]
    assert sieve_jars_in(tmp_path / "none") == []
