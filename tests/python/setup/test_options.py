# SPDX-License-Identifier: Apache-2.0
"""Configs that are set inside a `with` block."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve import ConfigValueError, UnknownConfigError

SETOP = "spark.sieve.setop.enabled"
COUNTING = "spark.sieve.setop.counting.enabled"
SIZE = "spark.sieve.setop.counting.minScanBytes"
QUERY = "SELECT id FROM range(9) EXCEPT ALL SELECT id FROM range(9) WHERE id = 3"


def test_the_switch_moves_the_plan_and_only_inside(spark: SparkSession) -> None:
    rows = sorted(spark.sql(QUERY).collect())
    assert sparksieve.report(QUERY, spark).applied
    with sparksieve.options(spark, setop=False):
        assert not sparksieve.report(QUERY, spark).applied
        assert sorted(spark.sql(QUERY).collect()) == rows
    assert sparksieve.report(QUERY, spark).applied


def test_what_was_unset_is_unset_again(spark: SparkSession) -> None:
    assert spark.conf.get(SETOP, None) is None
    with sparksieve.options(spark, setop=False, enabled=False):
        assert spark.conf.get(SETOP) == "false"
        assert spark.conf.get("spark.sieve.enabled") == "false"
    assert spark.conf.get(SETOP, None) is None
    assert spark.conf.get("spark.sieve.enabled", None) is None


def test_what_was_set_is_set_again(spark: SparkSession) -> None:
    spark.conf.set(SETOP, "false")
    try:
        with sparksieve.options(spark, setop=True):
            assert spark.conf.get(SETOP) == "true"
            with sparksieve.options(spark, setop__enabled=False):
                assert spark.conf.get(SETOP) == "false"
            assert spark.conf.get(SETOP) == "true"
        assert spark.conf.get(SETOP, None) == "false"
    finally:
        spark.conf.unset(SETOP)


def test_an_exception_restores_too(spark: SparkSession) -> None:
    with pytest.raises(ZeroDivisionError), sparksieve.options(spark, setop=False):
        _ = 1 / 0
    assert spark.conf.get(SETOP, None) is None


def test_deeper_configs_and_full_keys(spark: SparkSession) -> None:
    size = spark.conf.get(SIZE)
    with sparksieve.options(spark, {SIZE: "5m"}, setop__counting__enabled=False):
        assert spark.conf.get(COUNTING) == "false"
        assert sparksieve.conf(spark).setop.counting.min_scan_bytes == 5 << 20
    assert spark.conf.get(COUNTING, None) is None
    assert spark.conf.get(SIZE) == size


def test_an_unknown_name_sets_nothing(spark: SparkSession) -> None:
    with pytest.raises(UnknownConfigError, match="did you mean setop"):
        sparksieve.options(spark, enabled=False, setops=False)
    with pytest.raises(UnknownConfigError, match=r"no config spark\.sql\.ansi\.enabled"):
        sparksieve.options(spark, {"spark.sql.ansi.enabled": False})
    assert spark.conf.get("spark.sieve.enabled", None) is None


def test_a_wrong_value_puts_back_what_was_set_before_it(spark: SparkSession) -> None:
    wrong = sparksieve.options(spark, setop=False, setop__counting__min_scan_bytes=-1)
    with pytest.raises(ConfigValueError, match="does not accept -1"), wrong:
        pytest.fail("the block must not run")
    assert spark.conf.get(SETOP, None) is None


def test_a_static_config_is_refused_and_puts_back_what_was_set_before_it(
    spark: SparkSession,
) -> None:
    wrong = sparksieve.options(spark, setop=False, explain=True)
    with pytest.raises(ConfigValueError, match=r"spark\.sieve\.explain\.enabled is static"), wrong:
        pytest.fail("the block must not run")
    assert spark.conf.get(SETOP, None) is None
    first = sparksieve.options(spark, explain=True, setop=False)
    with pytest.raises(ConfigValueError, match="is static"), first:
        pytest.fail("the block must not run")
    assert spark.conf.get(SETOP, None) is None
