"""Reports of queries on a classic session, and from SQL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn

import sparksieve
from sparksieve import PlanPair, Report, ReportRow, Scan, ScanPredicate
from sparksieve._report_text import brief
from sparksieve.demo.runner import settings


@pytest.fixture
def query(flights: DataFrame) -> DataFrame:
    """EXCEPT ALL of two filters of one CSV, which Spark itself does not merge."""
    return flights.where("month < 6").exceptAll(flights.where("month = 3"))


def temporary_views(spark: SparkSession) -> list[str]:
    """The views that reports created; other tests share the session and have other views."""
    names = [table.name for table in spark.catalog.listTables() if table.isTemporary]
    return [name for name in names if name.startswith("sparksieve_report_")]


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


def test_nothing_is_run(spark: SparkSession) -> None:
    boom = spark.range(3).selectExpr("raise_error('was run') AS x")
    assert sparksieve.report(boom).rows == []


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


def test_a_command_is_not_run(spark: SparkSession) -> None:
    sparksieve.report("CREATE TABLE not_made USING parquet AS SELECT 1 AS a", spark)
    assert not spark.catalog.tableExists("not_made")


def test_the_view_is_dropped_when_the_report_fails(
    spark: SparkSession, query: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("no answer")

    monkeypatch.setattr("sparksieve._report_source.is_connect", lambda _: True)
    monkeypatch.setattr("sparksieve._report_source.call", fails)
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
    monkeypatch.setattr("sparksieve._report_source.is_connect", lambda _: True)
    asked = sparksieve.report(query)
    # Making the view is another one on classic PySpark.
    assert executions(spark) - before <= 2
    assert [row.rule for row in asked.rows] == [row.rule for row in direct.rows]
    assert [pair.changed for pair in asked.plans] == [pair.changed for pair in direct.plans]
    assert [scan.place for scan in asked.scans] == [scan.place for scan in direct.scans]


def test_what_count_measured_is_reported(spark: SparkSession, flights: DataFrame) -> None:
    query = flights.where("month < 6").exceptAll(flights.where("month = 4"))
    query.count()
    assert all(scan.run for scan in sparksieve.report(query).scans)


def test_a_stream_is_refused_with_the_reason(spark: SparkSession) -> None:
    stream = spark.readStream.format("rate").load()
    with pytest.raises(Exception, match="streaming"):
        sparksieve.report(stream)
    assert temporary_views(spark) == []


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


@pytest.mark.parametrize("threshold", ["-1", "10MB"])
def test_what_was_measured_follows_a_run(
    spark: SparkSession, tmp_path: Path, threshold: str
) -> None:
    people, places = str(tmp_path / "people"), str(tmp_path / "places")
    spark.range(0, 2000, 1, 4).write.parquet(people)
    named = "if(id = 7, 'admin', 'other') AS dept"
    spark.range(0, 200, 1, 1).selectExpr("id * 10 AS id", named).write.parquet(places)
    query = spark.read.parquet(people).join(
        spark.read.parquet(places).where("dept = 'admin'"), "id"
    )
    with settings(spark, {"spark.sql.autoBroadcastJoinThreshold": threshold}):
        before = sparksieve.report(query)
        assert [row.rule for row in before.applied] == ["InjectDynamicFilter"]
        assert before.measured == []
        assert [row.id for row in query.collect()] == [70]
        after = sparksieve.report(query)
        assert after.applied == before.applied
        details = {row.rule: row.detail for row in after.measured}
        assert set(details) == {"DynamicFilter", "DynamicScan"}
        assert "1 key" in details["DynamicFilter"]
        assert " rows kept" in details["DynamicFilter"]
        with sparksieve.options(spark, dynamic_filter=False):
            assert sparksieve.report(query).measured == []


def test_what_a_run_measured_is_a_row_of_its_own() -> None:
    rows = [
        ReportRow(1, "feature", "Rule", "applied", None, "JOIN", "a filter"),
        ReportRow(2, "feature", "Rule", "declined", "not-selective", "JOIN", "no filter"),
        ReportRow(3, "feature", "Operator", "measured", None, "t.id", "7 of <9> rows kept"),
    ]
    report = Report(rows, [])
    assert [row.id for row in report.measured] == [3]
    assert [row.id for row in report.applied] == [1]
    assert [row.id for row in report.declined] == [2]
    assert report.summary == "Sieve: 1 applied, 1 declined, 1 measured."
    assert "7 of <9> rows kept" in str(report)
    html = report._repr_html_()
    assert "7 of &lt;9&gt; rows kept" in html
    assert html.count("color:#0969da") == 1
    assert report.to_dict()["rows"][2]["outcome"] == "measured"


def test_html_marks_what_changed_and_folds_what_did_not() -> None:
    row = ReportRow(1, "setop", "Rule", "declined", "different-source", "Except", "a < b & c")
    report = Report(
        [row], [PlanPair("optimized", "same\nold", "same\nnew"), PlanPair("physical", "x", "x")]
    )
    html = report._repr_html_()
    assert "a &lt; b &amp; c" in html
    assert html.count("<details open>") == 1
    assert "physical plan (unchanged)" in html
    assert html.count("background:") == 2


def test_the_layers_of_each_predicate_and_the_rows_of_a_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = str(tmp_path / "sales")
    columns = ("id", "CAST(id AS STRING) AS code", "id % 4 AS month")
    spark.range(0, 400, 1, 1).selectExpr(*columns).write.partitionBy("month").parquet(path)
    query = spark.read.parquet(path).where("month = 3 AND id > 9 AND upper(code) <> '11'")
    (scan,) = sparksieve.report(query).scans
    assert (scan.source, scan.rows_read, scan.rows_kept, scan.run) == ("parquet", None, None, None)
    assert scan.place.endswith(path)
    said = {one.predicate: one for one in scan.predicates}
    assert said["id > 9L"].layers == ("pushed", "spark")
    assert said["id > 9L"].reason is None
    month = next(one for text, one in said.items() if text.startswith("month = "))
    assert month.layers == ("skipped",)
    left = next(one for one in scan.predicates if one.reason)
    assert (left.layers, left.reason) == (("spark",), "computed")
    assert left.remedy
    assert "upper(code)" in left.detail
    assert query.count() == 97
    (scan,) = sparksieve.report(query.groupBy().count()).scans
    assert (scan.rows_read, scan.rows_kept) == (100, 97)
    assert scan.run == "100 rows read, 97 kept"
    assert temporary_views(spark) == []


def example() -> Report:
    taken = ScanPredicate("a > 1", ("pushed", "spark"), None, "row groups are skipped.", None)
    left = ScanPredicate("f(<b>)", ("spark",), "udf", "It calls a function: f.", "Do not.")
    return Report([], [], scans=[Scan("parquet", "db.t", [taken, left], 1000, 10)])


def test_the_text_of_scans() -> None:
    lines = str(example()).splitlines()
    assert lines[0] == "Sieve: no rule applies to this query. 1,000 rows read, 10 kept."
    assert lines[2:5] == [
        "Scan 1, parquet db.t: 1,000 rows read, 10 kept",
        "  a > 1   pushed, spark",
        "  f(<b>)  spark (udf): It calls a function: f. Do not.",
    ]
    assert lines[-1] == "pushed, spark: row groups are skipped."
    assert Scan("csv", "t", [], 1, 0).run == "1 row read, 0 kept"


def test_the_details_of_scans() -> None:
    report = example()
    report.details = True
    lines = str(report).splitlines()
    assert lines[2] == "Scan 1, parquet: db.t"
    assert lines[3].split() == ["predicate", "layers", "reason", "detail"]
    assert "It calls a function: f. Do not." in str(report)
    assert lines[-1] == "1,000 rows read, 10 kept"


def test_the_text_leaves_out_what_was_not_written_and_single_predicates() -> None:
    scan = Scan(
        "parquet",
        "file:/a/very/long/path/of/t",
        [
            ScanPredicate("c IS NOT NULL", ("pushed", "spark"), None, "stats.", None),
            ScanPredicate("c > 1 AND d IS NOT NULL", ("spark",), None, "rows.", None),
        ],
    )
    only = Scan("csv", "u", [ScanPredicate("c IS NOT NULL", ("spark",), None, "rows.", None)])
    rows = [
        ReportRow(1, "adaptivefilter", "Rule", "declined", "one-predicate", "Filter", "only one"),
        ReportRow(2, "adaptivefilter", "AdaptiveFilter", "measured", None, "Filter", "order 2, 1"),
        ReportRow(3, "adaptivefilter", "AdaptiveFilter", "measured", None, "Filter", "1. c > 1"),
    ]
    text = brief(Report(rows, [], scans=[scan, only]))
    assert text.splitlines() == [
        "Sieve: 0 applied, 1 declined, 2 measured.",
        "declined  adaptivefilter: one-predicate: only one [Filter]",
        "measured  AdaptiveFilter: order 2, 1",
        "",
        "Scan 1, parquet t",
        "  c > 1 AND d IS NOT NULL  spark",
        "",
        "Scan 2, csv u",
        "  c IS NOT NULL  spark",
        "",
        "spark: rows.",
    ]


@pytest.mark.parametrize("width", [30, 80, 200])
def test_the_text_keeps_to_the_width_and_loses_no_word(width: int) -> None:
    long = " ".join(f"word{n}" for n in range(60))
    rows = [ReportRow(1, "setop", "Rule", "applied", None, "place", long)]
    scan = Scan("parquet", "t", [ScanPredicate("p" * 40, ("spark",), "udf", long, None)])
    text = brief(Report(rows, [], scans=[scan]), width)
    assert text.count("word59") == 2
    assert all(len(line) <= max(width, 42) for line in text.splitlines())


def test_the_html_of_scans() -> None:
    html = example()._repr_html_()
    assert "Scan 1, parquet: <b>db.t</b> &#8211; 1,000 rows read, 10 kept" in html
    assert "<code>f(&lt;b&gt;)</code>" in html
    assert "<b>)" not in html
    assert "pushed, spark" in html
    assert "Do not." in html


def test_scans_are_plain_in_to_dict() -> None:
    plain = example().to_dict()
    assert json.loads(json.dumps(plain)) == plain
    (scan,) = plain["scans"]
    assert scan["rows_read"] == 1000
    assert scan["predicates"][1] == {
        "predicate": "f(<b>)",
        "layers": ["spark"],
        "reason": "udf",
        "detail": "It calls a function: f.",
        "remedy": "Do not.",
    }
