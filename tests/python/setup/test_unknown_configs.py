# SPDX-License-Identifier: Apache-2.0
"""Settings under `spark.sieve.` that are no configs: in a builder, around it, in a session."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.conf import RuntimeConfig

import sparksieve
from sparksieve import UnknownConfigWarning
from sparksieve._setup.configs import all_configs

WRONG = "spark.sieve.setop.enabld"
SAID = f"There is no config {WRONG}, so it has no effect. The nearest is spark.sieve.setop.enabled."

needs_list = pytest.mark.skipif(
    not hasattr(RuntimeConfig, "getAll"), reason="Spark 3.5 does not list a session's settings"
)


def said(found: pytest.WarningsRecorder) -> list[str]:
    return [str(one.message) for one in found]


@pytest.fixture
def mistyped(spark: SparkSession) -> Iterator[SparkSession]:
    """The session with a setting that is no config."""
    spark.conf.set(WRONG, "false")
    yield spark
    spark.conf.unset(WRONG)


@pytest.mark.usefixtures("no_session")
def test_a_setting_of_the_builder() -> None:
    builder = SparkSession.builder.config(WRONG, "false")
    with pytest.warns(UnknownConfigWarning) as found:
        assert sparksieve.configure(builder) is builder
    assert said(found) == [SAID]
    assert found[0].filename == __file__


@pytest.mark.usefixtures("no_session")
def test_the_nearest_is_found_in_any_case() -> None:
    builder = SparkSession.builder.config("spark.sieve.DYNAMICFILTER.MAXKEYS", 1)
    with pytest.warns(
        UnknownConfigWarning, match=r"nearest is spark\.sieve\.dynamicFilter\.maxKeys"
    ):
        sparksieve.configure(builder)
    with pytest.warns(UnknownConfigWarning, match=r"no config spark\.sieve\.q, .* nearest is "):
        sparksieve.configure(SparkSession.builder.config("spark.sieve.q", 1))


@pytest.mark.usefixtures("no_session")
def test_settings_of_the_submit_arguments_and_of_the_defaults(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--conf {WRONG}=false pyspark-shell")
    (tmp_path / "spark-defaults.conf").write_text("spark.sieve.enable false\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    with pytest.warns(UnknownConfigWarning) as found:
        sparksieve.configure(SparkSession.builder)
    assert said(found) == [SAID, SAID.replace(WRONG, "spark.sieve.enable").replace("setop.", "")]


@pytest.mark.usefixtures("no_session")
def test_known_configs_and_other_settings_are_no_cause() -> None:
    builder = SparkSession.builder.config("spark.sievex", "1").config("spark.sql.ansi", "1")
    for config in all_configs():
        builder = builder.config(config.key, config.default)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sparksieve.configure(builder)


@needs_list
def test_a_setting_of_the_session(mistyped: SparkSession) -> None:
    with pytest.warns(UnknownConfigWarning) as by_report:
        sparksieve.report("SELECT 1", mistyped)
    with pytest.warns(UnknownConfigWarning) as by_conf:
        sparksieve.conf(mistyped)
    for found in (by_report, by_conf):
        assert said(found) == [SAID]
        assert found[0].filename == __file__


def test_a_session_with_configs_only_is_no_cause(spark: SparkSession) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sparksieve.report("SELECT 1", spark)
        sparksieve.conf(spark)
