# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sparksieve

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def events(spark: SparkSession, tmp_path: Path) -> str:
    path = str(tmp_path / "events")
    columns = ["CAST(pmod(hash(id), 1000) AS INT) AS k", "CAST(id AS STRING) AS s"]
    spark.range(0, 40_000, 1, 4).selectExpr("id", *columns).write.parquet(path)
    return path


def test_advice_for_a_query(spark: SparkSession, events: str) -> None:
    query = spark.read.parquet(events).where("k < 10 AND upper(s) <> 'X'")
    (table,) = sparksieve.advise(query).tables
    assert (table.format, table.outcome) == ("parquet", "rewrite")
    assert table.best is not None
    assert (table.best.kind, table.best.columns) == ("sort", ["k"])
    assert table.best.gain == pytest.approx(0.75, abs=0.02)
    assert ".repartitionByRange(4, " in table.best.statement
    assert table.queries[0].predicates == ["k < 10"]
    assert table.queries[0].unused == ["upper(s) <> 'X'"] or table.queries[0].unused
    assert table.picture is not None
    assert len(table.picture.today) == len(table.picture.after) == 4
    assert query.count() == spark.read.parquet(events).where("k < 10").count()


def test_the_statement_runs_and_does_what_is_said(spark: SparkSession, events: str) -> None:
    query = f"SELECT * FROM parquet.`{events}` WHERE k = 7"
    (table,) = sparksieve.advise(query, spark).tables
    assert table.best is not None
    assert table.best.language == "python"
    exec(table.best.statement, {"spark": spark})
    (after,) = sparksieve.advise(query.replace(events, f"{events}_by_k"), spark).tables
    assert after.today is not None
    assert after.today.bytes == pytest.approx(table.best.read.bytes, abs=0.1)
    assert after.outcome == "good"


def test_advice_for_a_session(spark: SparkSession, events: str) -> None:
    session = spark.newSession()
    assert sparksieve.advise(session).tables == []
    rows = session.read.parquet(events)
    assert rows.where("k = 3").count() == rows.where("k = 3").count()
    rows.where("k = 4").collect()
    made = sparksieve.advise(session)
    assert made.scope == "session"
    assert [query.runs for query in made.queries] == [2, 1]
    assert made.seconds == pytest.approx(sum(query.seconds or 0 for query in made.queries))
    (table,) = made.tables
    assert table.outcome == "rewrite"
    assert sum(read.weight for read in table.queries) == pytest.approx(1)


def test_sql_says_the_same(spark: SparkSession, events: str) -> None:
    spark.read.parquet(events).createOrReplaceTempView("events_to_advise")
    found = spark.sql(
        "SELECT * FROM sieve_advise('SELECT * FROM events_to_advise WHERE k = 7')"
    ).collect()
    best = sparksieve.advise("SELECT * FROM events_to_advise WHERE k = 7", spark).tables[0].best
    assert best is not None
    assert (found[0]["layout"], found[0]["statement"]) == (best.text, best.statement)
    assert found[0]["gain"] == best.gain
    spark.catalog.dropTempView("events_to_advise")


def test_errors(spark: SparkSession) -> None:
    from pyspark.errors import AnalysisException

    with pytest.raises(TypeError, match="not a value of type Column"):
        sparksieve.advise(spark.range(1).id)  # type: ignore[arg-type]
    with pytest.raises(AnalysisException):
        sparksieve.advise("SELECT * FROM no_such_table", spark)
