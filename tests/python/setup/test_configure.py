# SPDX-License-Identifier: Apache-2.0
"""What `configure` sets in a builder, and what it refuses. No JVM is started here."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve import (
    JarNotFoundError,
    JavaNotFoundError,
    RemoteServerError,
    SparkHomeError,
    SparkNotFoundError,
    UnsupportedSparkError,
    WrongJarError,
    WrongScalaError,
)
from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from support import write_jar, write_java, write_spark_home

EXTENSION = "io.sparksieve.SieveExtensions"

pytestmark = pytest.mark.usefixtures("no_session")


@pytest.fixture
def jar() -> str:
    """The jar that fits the installed Spark."""
    install = find_install()
    return str(bundled_jar(install.spark_version, install.scala))


def options_of(builder: SparkSession.Builder) -> dict[str, Any]:
    return builder._options


@pytest.fixture
def builder() -> SparkSession.Builder:
    return SparkSession.builder


def test_an_empty_builder_gets_jar_and_extension(builder: SparkSession.Builder, jar: str) -> None:
    assert sparksieve.configure(builder) is builder
    assert options_of(builder) == {"spark.sql.extensions": EXTENSION, "spark.jars": jar}
    assert "PYSPARK_SUBMIT_ARGS" not in os.environ


def test_what_the_builder_has_is_appended_to(builder: SparkSession.Builder, jar: str) -> None:
    builder.config("spark.sql.extensions", "com.example.Other").config("spark.jars", "/x/a.jar")
    sparksieve.configure(builder)
    assert options_of(builder)["spark.sql.extensions"] == f"com.example.Other,{EXTENSION}"
    assert options_of(builder)["spark.jars"] == f"/x/a.jar,{jar}"


def test_configuring_twice_adds_nothing_twice(builder: SparkSession.Builder, jar: str) -> None:
    sparksieve.configure(sparksieve.configure(builder))
    assert options_of(builder) == {"spark.sql.extensions": EXTENSION, "spark.jars": jar}


def test_what_the_defaults_have_is_appended_to(
    builder: SparkSession.Builder, jar: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.sql.extensions com.example.Other\nspark.jars /x/a.jar\n"
    )
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    sparksieve.configure(builder)
    assert options_of(builder)["spark.sql.extensions"] == f"com.example.Other,{EXTENSION}"
    assert options_of(builder)["spark.jars"] == f"/x/a.jar,{jar}"


def test_jars_of_the_submit_arguments_are_appended_to_in_place(
    builder: SparkSession.Builder, jar: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS",
        "--jars /x/a.jar --conf spark.sql.extensions=com.example.Other pyspark-shell",
    )
    sparksieve.configure(builder)
    assert options_of(builder) == {"spark.sql.extensions": f"com.example.Other,{EXTENSION}"}
    assert os.environ["PYSPARK_SUBMIT_ARGS"].startswith(f"--jars /x/a.jar,{jar} --conf")


def test_packages_keep_their_jars(
    builder: SparkSession.Builder, jar: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The builder's spark.jars would overwrite the jars of packages, which the launcher lists.
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local pyspark-shell")
    builder.config("spark.jars.packages", "org.example:thing:1")
    sparksieve.configure(builder)
    assert "spark.jars" not in options_of(builder)
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == f"--jars {jar} --master local pyspark-shell"


def test_packages_and_jars_of_the_builder_are_both_kept(
    builder: SparkSession.Builder, jar: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
    builder.config("spark.jars.packages", "org.example:thing:1").config("spark.jars", "/x/a.jar")
    sparksieve.configure(builder)
    assert options_of(builder)["spark.jars"] == f"/x/a.jar,{jar}"
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == f"--jars /x/a.jar,{jar} pyspark-shell"


def test_a_jar_can_be_given(builder: SparkSession.Builder, tmp_path: Path) -> None:
    install = find_install()
    mine = write_jar(tmp_path / "mine.jar", "0.1.0", install.line, install.scala)
    sparksieve.configure(builder, jar=mine)
    assert options_of(builder)["spark.jars"] == str(mine)


def test_a_jar_that_spark_fetches_is_taken_as_it_is(builder: SparkSession.Builder) -> None:
    sparksieve.configure(builder, jar="hdfs://namenode/jars/sparksieve.jar")
    assert options_of(builder)["spark.jars"] == "hdfs://namenode/jars/sparksieve.jar"


def test_a_missing_jar(builder: SparkSession.Builder, tmp_path: Path) -> None:
    with pytest.raises(JarNotFoundError, match="There is no jar at"):
        sparksieve.configure(builder, jar=tmp_path / "none.jar")
    with pytest.raises(JarNotFoundError, match="one path, not a list"):
        sparksieve.configure(builder, jar="a.jar,b.jar")
    assert options_of(builder) == {}


def test_a_missing_jar_in_the_package(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sparksieve._setup.jars.JARS", tmp_path)
    with pytest.raises(JarNotFoundError, match=r"does not contain sparksieve-spark-.*no jar"):
        sparksieve.configure(builder)
    assert options_of(builder) == {}


def test_a_jar_for_another_scala(builder: SparkSession.Builder, tmp_path: Path) -> None:
    install = find_install()
    other = "2.12" if install.scala == "2.13" else "2.13"
    wrong = write_jar(tmp_path / "wrong.jar", "0.1.0", install.line, other)
    with pytest.raises(WrongScalaError, match=f"built for Scala {other}"):
        sparksieve.configure(builder, jar=wrong)
    assert options_of(builder) == {}


def test_a_jar_for_another_line(builder: SparkSession.Builder, tmp_path: Path) -> None:
    install = find_install()
    other = "4.0" if install.line != "4.0" else "4.1"
    wrong = write_jar(tmp_path / "wrong.jar", "0.1.0", other, install.scala)
    with pytest.raises(WrongJarError, match=rf"built for Spark {other}, but .* {install.line}"):
        sparksieve.configure(builder, jar=wrong)
    assert options_of(builder) == {}


def test_arguments_that_contradict_what_is_installed(builder: SparkSession.Builder) -> None:
    install = find_install()
    other_line = "4.0" if install.line != "4.0" else "4.1"
    with pytest.raises(WrongJarError, match="Leave the argument out"):
        sparksieve.configure(builder, spark_version=other_line, scala_version="2.13")
    with pytest.raises(WrongScalaError):
        sparksieve.configure(builder, scala_version="2.11")


def test_an_unsupported_spark(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = write_spark_home(tmp_path / "spark", "3.3.4", "2.12.15")
    monkeypatch.setenv("SPARK_HOME", str(home))
    with pytest.raises(UnsupportedSparkError, match=r"Spark 3\.3\.4; it supports the lines 3\.5,"):
        sparksieve.configure(builder)
    assert options_of(builder) == {}


def test_spark_home_of_another_line(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install = find_install()
    line = "4.0" if install.line != "4.0" else "4.1"
    home = write_spark_home(tmp_path / "spark", f"{line}.1", "2.13.16")
    monkeypatch.setenv("SPARK_HOME", str(home))
    with pytest.raises(SparkHomeError) as raised:
        sparksieve.configure(builder)
    assert str(raised.value) == (
        f"SPARK_HOME={home} is Spark {line}.1, but pyspark is {install.pyspark_version}. Unset "
        f"SPARK_HOME to use the Spark inside pyspark, or install pyspark=={line}.1."
    )
    assert options_of(builder) == {}


def test_spark_home_of_the_same_line(
    builder: SparkSession.Builder, jar: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install = find_install()
    home = write_spark_home(tmp_path / "spark", f"{install.line}.99", f"{install.scala}.1")
    monkeypatch.setenv("SPARK_HOME", str(home))
    sparksieve.configure(builder)
    assert options_of(builder)["spark.jars"] == jar


def test_a_client_only_pyspark(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "pyspark"
    package.mkdir()
    monkeypatch.setattr(pyspark, "__file__", str(package / "__init__.py"))
    with pytest.raises(SparkNotFoundError, match="client-only pyspark"):
        sparksieve.configure(builder)
    # Arguments can give the versions of a Spark that is not found.
    sparksieve.configure(builder, spark_version="4.1", scala_version="2.13")
    assert options_of(builder)["spark.jars"] == str(bundled_jar("4.1", "2.13"))


def test_no_pyspark(builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(SparkNotFoundError, match="pip install"):
        sparksieve.configure(builder)


def test_no_java(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JavaNotFoundError, match="There is no java"):
        sparksieve.configure(builder)
    assert options_of(builder) == {}


def test_a_java_too_old(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(write_java(tmp_path / "java", "1.7.0_80")))
    with pytest.raises(JavaNotFoundError, match="is Java 7"):
        sparksieve.configure(builder)


def test_a_connect_server_cannot_be_configured(
    builder: SparkSession.Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder.remote("sc://db.example:15002")
    with pytest.raises(RemoteServerError, match=r"sc://db\.example:15002.*--jars"):
        sparksieve.configure(builder)
    assert options_of(builder) == {"spark.remote": "sc://db.example:15002"}
    monkeypatch.setenv("SPARK_REMOTE", "sc://other.example")
    with pytest.raises(RemoteServerError, match=r"sc://other\.example"):
        sparksieve.configure(SparkSession.builder)


def test_a_connect_server_within_the_process_is_configured_in_silence(
    builder: SparkSession.Builder, jar: str, capfd: pytest.CaptureFixture[str]
) -> None:
    sparksieve.configure(builder.remote("local[1]"))
    assert options_of(builder)["spark.jars"] == jar
    assert capfd.readouterr() == ("", "")
