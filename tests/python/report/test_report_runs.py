# SPDX-License-Identifier: Apache-2.0
"""What a report says of the query's last run."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import sparksieve
from sparksieve.demo.runner import settings


def test_what_count_measured_is_reported(spark: SparkSession, flights: DataFrame) -> None:
    query = flights.where("month < 6").exceptAll(flights.where("month = 4"))
    query.count()
    assert all(scan.run for scan in sparksieve.report(query).scans)


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
