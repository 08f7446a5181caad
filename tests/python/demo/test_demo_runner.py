# SPDX-License-Identifier: Apache-2.0
"""One case with Sieve off and on: every status, the figures, and the settings afterwards."""

from __future__ import annotations

import io

import pytest
from pyspark.sql import DataFrame, SparkSession

from sparksieve.demo import plans, runner
from sparksieve.demo.case import Case, Query, Tables
from sparksieve.demo.fingerprint import fingerprint
from sparksieve.demo.progress import Progress
from sparksieve.demo.runner import CHANGED, DIFFERENT, FAILED, UNCHANGED, Outcome

RUNS = 2
TABLES = Tables("generated", "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", "")


@pytest.fixture(autouse=True)
def view(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = str(tmp_path_factory.mktemp("numbers") / "n")
    spark.range(1000).selectExpr("id % 10 AS a", "id % 7 AS b").write.parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("numbers")


def run(spark: SparkSession, query: Query, **conf: str) -> Outcome:
    case = Case("a-case", "A title", "A reason.", query, conf=conf)
    progress = Progress(runner.steps(RUNS), io.StringIO())
    outcome = runner.run(spark, TABLES, "feature", case, RUNS, progress)
    assert progress.done == runner.steps(RUNS)
    return outcome


def test_changed(spark: SparkSession) -> None:
    outcome = run(spark, "SELECT a, b FROM numbers EXCEPT ALL SELECT a, b FROM numbers WHERE a = 1")
    assert outcome.status == CHANGED
    assert outcome.ok
    off, on = outcome.off, outcome.on
    assert off
    assert on
    assert outcome.ratio == off.median / on.median
    assert len(off.seconds) == len(on.seconds) == RUNS
    assert (off.rows.rows, on.rows.rows) == (900, 900)
    assert (off.work.scans, on.work.scans) == (2, 1)
    assert (off.work.rows_read, on.work.rows_read) == (2000, 1000)
    assert off.work.bytes_read > on.work.bytes_read > 0
    assert off.work.bytes_shuffled > on.work.bytes_shuffled == 0
    assert off.notes == ()
    assert any("applied" in note for note in on.notes)


def test_joins_are_counted(spark: SparkSession) -> None:
    outcome = run(
        spark,
        "SELECT a FROM numbers n WHERE NOT EXISTS "
        "(SELECT 1 FROM numbers m WHERE n.a = m.a AND m.a < 3)",
    )
    assert outcome.status == CHANGED
    assert outcome.off
    assert outcome.on
    assert (outcome.off.work.joins, outcome.on.work.joins) == (1, 0)


def test_unchanged(spark: SparkSession) -> None:
    outcome = run(spark, "SELECT a, count(*) FROM numbers GROUP BY a")
    assert outcome.status == UNCHANGED
    assert outcome.ok
    assert outcome.ratio is None


def by_switch(off: str, on: str) -> Query:
    def build(spark: SparkSession, _: Tables) -> DataFrame:
        return spark.sql(on if spark.conf.get(runner.SWITCH) == "true" else off)

    return build


@pytest.mark.parametrize(
    ("off", "on"),
    [
        ("SELECT a FROM numbers", "SELECT a FROM numbers WHERE a < 9"),
        ("SELECT a FROM numbers", "SELECT 9 - a FROM numbers WHERE a != 3 OR b != 2"),
        ("SELECT 1, CAST(NULL AS INT)", "SELECT CAST(NULL AS INT), 1"),
        ("SELECT 1 UNION ALL SELECT 1 UNION ALL SELECT 2", "SELECT 1 UNION ALL VALUES 2, 2"),
        ("SELECT 1 WHERE false", "SELECT 1"),
    ],
)
def test_different_rows_are_found(spark: SparkSession, off: str, on: str) -> None:
    outcome = run(spark, by_switch(off, on))
    assert outcome.status == DIFFERENT
    assert not outcome.ok
    assert outcome.ratio is None


def test_the_side_without_sieve_may_have_its_own_query(spark: SparkSession) -> None:
    case = Case("a-case", "A title", "A reason.", "SELECT 1 AS n", alone="SELECT 2 - 1 AS n")
    progress = Progress(runner.steps(1), io.StringIO())
    outcome = runner.run(spark, TABLES, "feature", case, 1, progress)
    assert outcome.ok
    assert outcome.off
    assert outcome.on
    assert outcome.off.plans.optimized.startswith("Project")
    assert case.build(spark, TABLES).collect() == case.build(spark, TABLES, sieve=False).collect()
    assert case.text() == "SELECT 1 AS n\n\nwithout Sieve:\n\nSELECT 2 - 1 AS n"


def test_order_and_empty_results_are_no_difference(spark: SparkSession) -> None:
    up, down = "SELECT a, b FROM numbers ORDER BY a", "SELECT a, b FROM numbers ORDER BY a DESC"
    assert fingerprint(spark.sql(up)) == fingerprint(spark.sql(down))
    none = fingerprint(spark.sql("SELECT a FROM numbers WHERE a > 10"))
    assert none.rows == 0
    assert none == fingerprint(spark.sql("SELECT 1 WHERE false"))


@pytest.mark.parametrize("query", ["SELECT raise_error('boom')", "SELECT missing FROM numbers"])
def test_a_failing_query_is_an_outcome(spark: SparkSession, query: str) -> None:
    outcome = run(spark, query)
    assert outcome.status == FAILED
    assert not outcome.ok
    assert "boom" in outcome.error or "missing" in outcome.error


def test_settings_are_restored(spark: SparkSession) -> None:
    key = "spark.sql.shuffle.partitions"
    before = spark.conf.get(key)
    outcome = run(spark, "SELECT a FROM numbers", **{key: "3", "spark.not.set.before": "x"})
    assert outcome.ok
    assert spark.conf.get(key) == before
    assert spark.conf.get("spark.not.set.before", None) is None
    assert spark.conf.get(runner.SWITCH) == "true"


def test_ids_are_no_change_but_operators_are() -> None:
    one = plans.Plans("Filter (a#12 = a#13L)\n+- Relation", "Exchange [plan_id=7]")
    two = plans.Plans("Filter (a#90 = a#91L)\n+- Relation", "Exchange [plan_id=8]")
    swapped = plans.Plans("Filter (a#12 = a#12)\n+- Relation", "Exchange [plan_id=7]")
    assert not plans.changed(one, two)
    assert plans.changed(one, swapped)
