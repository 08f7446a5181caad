# SPDX-License-Identifier: Apache-2.0
"""Configs of a session as attributes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve import ConfigValueError, UnknownConfigError
from sparksieve._setup.configs import all_configs


def settable(spark: SparkSession) -> list[str]:
    """The keys that Spark lets a session set while the application runs."""
    return [c.key for c in all_configs() if spark.conf.isModifiable(c.key)]


@pytest.fixture(autouse=True)
def restored(spark: SparkSession) -> Iterator[None]:
    before = {key: spark.conf.get(key, None) for key in settable(spark)}
    yield
    for key, value in before.items():
        if value is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, value)


def test_every_config_of_the_package_is_known_to_the_jar(spark: SparkSession) -> None:
    for config in all_configs():
        if spark.conf.isModifiable(config.key):
            spark.conf.unset(config.key)
        assert config.from_spark(str(spark.conf.get(config.key))) == config.from_spark(
            config.default
        )


def test_switches_are_read_and_set(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    assert conf.enabled is True
    assert conf.setop.enabled is True
    conf.setop.counting.enabled = False
    assert conf.setop.counting.enabled is False
    assert spark.conf.get("spark.sieve.setop.counting.enabled") == "false"
    sparksieve.conf(spark).enabled = "FALSE"
    assert sparksieve.conf(spark).enabled is False


def test_sizes_are_read_as_bytes(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    conf.setop.counting.min_scan_bytes = "2m"
    assert conf.setop.counting.min_scan_bytes == 2 << 20
    conf.setop.counting.min_scan_bytes = 1234
    assert conf.setop.counting.min_scan_bytes == 1234
    spark.conf.set("spark.sieve.setop.counting.minScanBytes", "3KB")
    assert conf.setop.counting.min_scan_bytes == 3072


def test_numbers_are_read_and_set(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    assert conf.dynamic_filter.max_keys == 1_000_000
    assert type(conf.dynamic_filter.max_keys) is int
    conf.dynamic_filter.max_keys = 7
    assert spark.conf.get("spark.sieve.dynamicFilter.maxKeys") == "7"
    conf.dynamic_filter.max_keys = "1000"
    assert conf.dynamic_filter.max_keys == 1000
    conf.dynamic_filter.footers.threads = 2
    assert conf.dynamic_filter.footers.threads == 2
    assert dir(conf.dynamic_filter.footers) == ["max_files", "min_files", "threads"]


@pytest.mark.parametrize("value", [0, -1, 1 << 40])
def test_a_number_out_of_bounds_is_explained(spark: SparkSession, value: int) -> None:
    conf = sparksieve.conf(spark)
    with pytest.raises(ConfigValueError, match=rf"maxKeys does not accept {value}: .*Spark says"):
        conf.dynamic_filter.max_keys = value
    assert conf.dynamic_filter.max_keys == 1_000_000


@pytest.mark.parametrize("value", [True, 1.5, "many", "64m", None])
def test_what_is_no_number_is_explained(spark: SparkSession, value: object) -> None:
    conf = sparksieve.conf(spark)
    with pytest.raises(
        ConfigValueError, match=r"maxKeys does not accept .* \(int, default 1000000\)"
    ):
        conf.dynamic_filter.max_keys = value
    assert conf.dynamic_filter.max_keys == 1_000_000


def test_deleting_returns_to_the_default(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    conf.setop.enabled = False
    del conf.setop.enabled
    assert conf.setop.enabled is True
    assert spark.conf.get("spark.sieve.setop.enabled", None) is None


def test_a_switch_moves_the_plan(spark: SparkSession) -> None:
    query = "SELECT id FROM range(9) EXCEPT ALL SELECT id FROM range(9) WHERE id = 3"
    assert sparksieve.report(query, spark).applied
    sparksieve.conf(spark).setop.enabled = False
    assert not sparksieve.report(query, spark).applied
    assert not any(pair.changed for pair in sparksieve.report(query, spark).plans)


@pytest.mark.parametrize("value", [3, "maybe", None, 1.0])
def test_a_wrong_type_names_config_value_and_what_is_allowed(
    spark: SparkSession, value: object
) -> None:
    with pytest.raises(
        ConfigValueError, match=r"spark\.sieve\.setop\.enabled does not accept"
    ) as caught:
        sparksieve.conf(spark).setop.enabled = value
    assert repr(value) in str(caught.value)
    assert "true or false" in str(caught.value)
    assert sparksieve.conf(spark).setop.enabled is True


def test_a_value_that_spark_refuses_is_explained_the_same_way(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    before = conf.setop.counting.min_scan_bytes
    with pytest.raises(
        ConfigValueError, match=r"minScanBytes does not accept -5: .*Spark says"
    ) as caught:
        conf.setop.counting.min_scan_bytes = -5
    assert isinstance(caught.value, ValueError)
    assert conf.setop.counting.min_scan_bytes == before


def test_unknown_names_are_answered_with_the_nearest(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    with pytest.raises(
        UnknownConfigError, match=r"no config setopp; did you mean setop\?"
    ) as caught:
        _ = conf.setopp
    assert isinstance(caught.value, AttributeError)
    with pytest.raises(UnknownConfigError, match=r"did you mean setop\.enabled\?"):
        conf.setop.enable = False
    with pytest.raises(UnknownConfigError, match=r"did you mean setop\.counting\.min_scan_bytes\?"):
        conf.setop.counting.minScanBytes = 1
    assert not hasattr(conf, "_ipython_display_")


def test_a_group_is_no_switch(spark: SparkSession) -> None:
    with pytest.raises(ConfigValueError, match=r"setop\.enabled = True or False"):
        sparksieve.conf(spark).setop = False


def test_the_configs_are_listed_with_their_docs(spark: SparkSession) -> None:
    conf = sparksieve.conf(spark)
    settings = list(conf)
    assert [one.key for one in settings] == [config.key for config in all_configs()]
    assert all(one.doc for one in settings)
    assert {one.key for one in conf.setop.counting} == {
        "spark.sieve.setop.counting.enabled",
        "spark.sieve.setop.counting.minScanBytes",
    }
    assert {"enabled", "setop"} <= set(dir(conf))
    text = repr(conf)
    assert "spark.sieve.setop.counting.minScanBytes" in text
    assert "true" in text


@pytest.mark.parametrize("key", ["spark.sieve.ui.enabled", "spark.sieve.explain.enabled"])
def test_a_static_config_says_when_to_set_it(spark: SparkSession, key: str) -> None:
    group = getattr(sparksieve.conf(spark), key.split(".")[2])
    before = group.enabled
    with pytest.raises(ConfigValueError, match=f"{key} is static.*before the session") as refused:
        group.enabled = not before
    assert "sparksieve.configure(builder)" in str(refused.value)
    assert "spark-defaults.conf" in str(refused.value)
    with pytest.raises(ConfigValueError, match="is static"):
        del group.enabled
    assert group.enabled == before
