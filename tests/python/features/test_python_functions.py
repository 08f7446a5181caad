# SPDX-License-Identifier: Apache-2.0
"""Joins over columns that Python computes: rows are dropped before they are sent to Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import broadcast, udf

import sparksieve


@pytest.mark.parametrize("broadcasts", [True, False])
def test_a_join_calls_a_function_for_its_keys_only(
    spark: SparkSession, tmp_path: Path, broadcasts: bool
) -> None:
    spark.range(0, 3000, 1, 3).selectExpr("id", "id % 7 AS v").write.parquet(f"{tmp_path}/rows")
    spark.range(50).selectExpr("id * 2 AS id", "id % 10 AS tag").write.parquet(f"{tmp_path}/keys")
    calls = spark.sparkContext.accumulator(0)

    # By Arrow, which is the default since Spark 4.2, workers need pyarrow.
    @udf("string", useArrow=False)
    def name(v: int | None) -> str:
        calls.add(1)
        return f"name {v}"

    rows = spark.read.parquet(f"{tmp_path}/rows").withColumn("name", name("v"))
    keys = spark.read.parquet(f"{tmp_path}/keys").where("tag = 3").select("id")

    def joined() -> DataFrame:
        return rows.join(broadcast(keys) if broadcasts else keys, "id").orderBy("id")

    threshold = "spark.sql.autoBroadcastJoinThreshold"
    spark.conf.set(threshold, "10MB" if broadcasts else "-1")
    try:
        spark.conf.set("spark.sieve.enabled", "false")
        expected = joined().collect()
        assert calls.value == 3000
        spark.conf.unset("spark.sieve.enabled")
        df = joined()
        assert df.collect() == expected
        assert calls.value - 3000 == len(expected) == 5
        # The filter and the scan below Python both report what they measured.
        assert [row.rule for row in sparksieve.report(df).rows] == [
            "InjectDynamicFilter",
            "DynamicFilter",
            "DynamicScan",
        ]
    finally:
        spark.conf.unset("spark.sieve.enabled")
        spark.conf.unset(threshold)
