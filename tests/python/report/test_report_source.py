# SPDX-License-Identifier: Apache-2.0
"""A report plans its query, and runs nothing of it; it leaves no view behind."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import sparksieve
from support import temporary_views


def test_the_view_is_dropped_when_the_report_fails(
    spark: SparkSession, query: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("no answer")

    monkeypatch.setattr("sparksieve._report.source.is_connect", lambda _: True)
    monkeypatch.setattr("sparksieve._report.source.call", fails)
    with pytest.raises(RuntimeError, match="no answer"):
        sparksieve.report(query)
    assert temporary_views(spark) == []


def executions(spark: SparkSession) -> int:
    """The number of queries that the Spark UI shows."""
    context: Any = spark.sparkContext._jsc.sc()
    context.listenerBus().waitUntilEmpty()
    session: Any = spark._jsparkSession
    return int(session.sharedState().statusStore().executionsCount())


def test_a_report_is_no_query_in_the_ui(spark: SparkSession, query: DataFrame) -> None:
    before = executions(spark)
    sparksieve.report(query)
    sparksieve.report("SELECT 1", spark)
    assert executions(spark) == before


def test_over_connect_a_report_is_one_query_with_the_same_content(
    spark: SparkSession, query: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = sparksieve.report(query)
    before = executions(spark)
    monkeypatch.setattr("sparksieve._report.source.is_connect", lambda _: True)
    called = sparksieve.report(query)
    # Making the view is another one on classic PySpark.
    assert executions(spark) - before <= 2
    assert [row.rule for row in called.rows] == [row.rule for row in direct.rows]
    assert [pair.changed for pair in called.plans] == [pair.changed for pair in direct.plans]
    assert [scan.place for scan in called.scans] == [scan.place for scan in direct.scans]


def test_a_stream_is_refused_with_the_reason(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load()
    with pytest.raises(Exception, match="streaming"):
        sparksieve.report(stream)
    assert temporary_views(spark) == []


def test_nothing_is_run(spark: SparkSession) -> None:
    boom = spark.range(3).selectExpr("raise_error('was run') AS x")
    assert sparksieve.report(boom).rows == []


def test_a_command_is_not_run(spark: SparkSession) -> None:
    sparksieve.report("CREATE TABLE not_made USING parquet AS SELECT 1 AS a", spark)
    assert not spark.catalog.tableExists("not_made")
