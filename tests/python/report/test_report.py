# SPDX-License-Identifier: Apache-2.0
"""Reports of queries on a classic session, and from SQL."""

from __future__ import annotations

import json

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn

import sparksieve
from sparksieve import PlanPair, Report
from support import temporary_views


def physical(report: Report) -> PlanPair:
    return next(pair for pair in report.plans if pair.stage == "physical")


def test_a_set_operation_is_reported_and_the_plan_moved(
    spark: SparkSession, query: DataFrame
) -> None:
    report = sparksieve.report(query)
    assert [row.rule for row in report.applied] == ["ReplaceExceptWithNotFilter"]
    assert report.applied[0].feature == "setop"
    assert report.applied[0].reason is None
    plan = physical(report)
    assert plan.changed
    assert plan.before.count("FileScan csv") == 2
    assert plan.after.count("FileScan csv") == 1
    assert temporary_views(spark) == []


def test_the_rows_are_the_same_off_and_on(spark: SparkSession, query: DataFrame) -> None:
    on = query.collect()
    with sparksieve.options(spark, enabled=False):
        assert not sparksieve.report(query).applied
        off = query.select("*").collect()
    assert on
    assert sorted(on, key=str) == sorted(off, key=str)


def test_the_example_of_the_documents(spark: SparkSession, flights_csv: str) -> None:
    ds1 = spark.read.csv(flights_csv, header=True, inferSchema=True)
    ds3 = ds1.where(ds1.month < 3)
    result = ds3.subtract(ds1.where(ds1.month == 12))
    # Without Spark's own narrow rule for EXCEPT, the plan starts as in the documents.
    spark.conf.set("spark.sql.optimizer.replaceExceptWithFilter", "false")
    try:
        report = sparksieve.report(result)
        rows = result.collect()
    finally:
        spark.conf.unset("spark.sql.optimizer.replaceExceptWithFilter")
    assert [row.rule for row in report.applied] == ["ReplaceExceptWithNotFilter"]
    plan = physical(report)
    assert "Join" in plan.before
    assert "Join" not in plan.after
    assert plan.before.count("FileScan csv") == 2
    assert plan.after.count("FileScan csv") == 1
    expected = {(r.month, r.carrier, r.delay) for r in ds1.collect() if r.month and r.month < 3}
    assert {tuple(row) for row in rows} == expected
    assert len(rows) == len(expected)


def test_what_is_declined_has_a_reason(spark: SparkSession, flights: DataFrame) -> None:
    # The right side reads another relation.
    report = sparksieve.report(
        flights.select("month").exceptAll(spark.range(5).selectExpr("int(id)"))
    )
    assert not report.applied
    assert report.declined
    assert all(row.reason for row in report.declined)
    assert not physical(report).changed
    assert report.summary == f"Sieve: 0 applied, {len(report.declined)} declined."


def test_a_query_without_a_place_says_so(spark: SparkSession) -> None:
    report = sparksieve.report(spark.range(3))
    assert report.rows == []
    assert str(report) == "Sieve: no rule applies to this query."


def test_to_dict_is_plain(query: DataFrame) -> None:
    report = sparksieve.report(query)
    plain = report.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["rows"][0]["outcome"] == "applied"
    assert list(plain["rows"][0]) == [
        "id",
        "feature",
        "rule",
        "outcome",
        "reason",
        "place",
        "detail",
    ]
    assert [pair["stage"] for pair in plain["plans"]] == ["optimized", "physical"]


def test_the_text(query: DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    report = sparksieve.report(query)
    report.show()
    shown = capsys.readouterr().out
    assert shown == f"{report}\n"
    assert repr(report) == str(report)
    assert shown.startswith("Sieve: 1 applied, 0 declined.\napplied   setop: one scan")
    assert "Scan 1, csv " in shown


def test_the_details(query: DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    brief = sparksieve.report(query)
    report = sparksieve.report(query, details=True)
    assert str(report).startswith("id  outcome")
    assert "ReplaceExceptWithNotFilter" in str(report)
    assert "Sieve: 1 applied, 0 declined.\n" in str(report)
    brief.show(details=True)
    assert capsys.readouterr().out == f"{report}\n"


def test_the_html_has_both_plans_and_escapes_them(spark: SparkSession) -> None:
    spark.range(9).selectExpr("id", "concat('<b>', id) AS `<i>`").createOrReplaceTempView("tags")
    try:
        report = sparksieve.report(
            "SELECT * FROM tags EXCEPT ALL SELECT * FROM tags WHERE `<i>` = '<script>'", spark
        )
    finally:
        spark.catalog.dropTempView("tags")
    html = report._repr_html_()
    assert report.applied
    assert "without Sieve" in html
    assert "with Sieve" in html
    assert "&lt;script&gt;" in html
    for raw in ("<script>", "<i>"):
        assert raw not in html


def test_sql_text_and_view_names(spark: SparkSession, query: DataFrame) -> None:
    text = "SELECT id FROM range(9) EXCEPT ALL SELECT id FROM range(9) WHERE id = 3"
    assert [row.rule for row in sparksieve.report(text).applied] == ["ReplaceExceptWithNotFilter"]
    query.createOrReplaceTempView("my_view")
    try:
        assert sparksieve.report("my_view", spark).applied
    finally:
        spark.catalog.dropTempView("my_view")


def test_a_column_and_a_session_are_no_queries(spark: SparkSession) -> None:
    for value, kind in ((spark, "SparkSession"), (fn.col("a"), "Column")):
        with pytest.raises(TypeError, match=f"accepts a DataFrame, .* of type {kind}"):
            sparksieve.report(value)  # type: ignore[arg-type]


def test_quotes_in_sql_text(spark: SparkSession) -> None:
    text = r"""SELECT 'it''s \\ "x"' AS q FROM range(9) WHERE 'a\'b' <> "c" """
    assert sparksieve.report(text, spark).rows == []


def test_duplicate_column_names(flights: DataFrame) -> None:
    early = flights.exceptAll(flights.where("month = 3"))
    twice = early.crossJoin(flights)
    assert twice.columns[0] == twice.columns[3]
    assert sparksieve.report(twice).applied


def test_sparks_own_errors_stay(spark: SparkSession, flights: DataFrame) -> None:
    with pytest.raises(AnalysisException, match="nowhere"):
        sparksieve.report("SELECT * FROM nowhere", spark)
    with pytest.raises(AnalysisException, match="NUM_COLUMNS_MISMATCH"):
        sparksieve.report("SELECT 1 EXCEPT SELECT 1, 2", spark)


def test_reports_from_sql(spark: SparkSession, flights: DataFrame) -> None:
    flights.createOrReplaceTempView("flights")
    try:
        text = "SELECT * FROM flights EXCEPT ALL SELECT * FROM flights WHERE month = 12"
        rows = spark.sql(f"SELECT rule, outcome FROM sieve_report('{text}')").collect()
        assert [tuple(row) for row in rows] == [
            ("ReplaceExceptWithNotFilter", "applied"),
            ("csv", "evaluated, spark"),  # the remaining scan, and the layers that filter it
        ]
        plans = spark.sql(f"SELECT * FROM sieve_explain('{text}')").collect()
        assert [row.stage for row in plans] == ["optimized", "physical"]
        assert plans[1].before.count("FileScan csv") == 2
        assert plans[1].after.count("FileScan csv") == 1
    finally:
        spark.catalog.dropTempView("flights")


def test_the_same_set_operation_in_sql(spark: SparkSession, flights: DataFrame) -> None:
    flights.createOrReplaceTempView("flights")
    text = (
        "WITH early AS (SELECT * FROM flights WHERE month < 6) "
        "SELECT * FROM early INTERSECT ALL SELECT * FROM flights WHERE carrier = 'A'"
    )
    try:
        report = sparksieve.report(text, spark)
        assert [row.rule for row in report.applied] == ["ReplaceIntersectWithFilter"]
        assert physical(report).changed
        on = sorted(spark.sql(text).collect())
        with sparksieve.options(spark, setop=False):
            off = sorted(spark.sql(text).collect())
        assert on == off
        assert on
    finally:
        spark.catalog.dropTempView("flights")
