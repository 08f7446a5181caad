# SPDX-License-Identifier: Apache-2.0
"""The data sources `rangedb` and `rangedb-v1`, from the jar that the wheel carries."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

import sparksieve
from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from support import run_program

FORMATS = ["rangedb", "rangedb-v1"]


def table(spark: SparkSession, **options: object) -> DataFrame:
    """A table of 50 rows."""
    return spark.read.format("rangedb").options(rows=50, partitions=9, **options).load()


@pytest.mark.parametrize("name", FORMATS)
def test_it_is_there_by_name(spark: SparkSession, name: str) -> None:
    df = spark.read.format(name).options(rows=50, partitions=9).load()
    rows = df.where("val <= 40 AND squared >= 900").select("val", "cubed").orderBy("val")
    assert rows.collect() == [Row(val=k, cubed=k**3) for k in range(30, 41)]
    assert df.schema.simpleString() == "struct<val:int,squared:bigint,cubed:bigint>"


def test_the_report_has_what_it_took(spark: SparkSession) -> None:
    df = table(spark).where("val <= 40 AND squared >= 900").orderBy("val").limit(4)
    assert [row.val for row in df.collect()] == [30, 31, 32, 33]
    mine = [row for row in sparksieve.report(df).rows if row.feature == "rangesource"]
    assert [row.outcome for row in mine] == ["applied", "measured"]
    assert mine[0].detail.startswith("engine reads [30..33]; engine: ")
    assert mine[1].detail == "4 ranges requested, 4 records generated, 0 evaluated, 4 returned"


def test_a_wrong_option_is_named(spark: SparkSession) -> None:
    with pytest.raises(Exception, match=r"'partitions'.*'0'.*from 1 to"):
        spark.read.format("rangedb").options(rows=50, partitions=0).load()


def test_the_jar_alone_is_enough(tmp_path: Path) -> None:
    install = find_install()
    jar = bundled_jar(install.spark_version, install.scala)
    facts = run_program(
        f"""
spark = builder().config("spark.jars", {str(jar)!r}).config(
    "spark.sql.catalog.rangedb", "io.sparksieve.rangesource.RangeDbCatalog").getOrCreate()
df = spark.read.format("rangedb").options(rows=50, pushdown="evaluate").load()
spark.sql("CREATE TEMPORARY VIEW v USING rangedb OPTIONS (rows '5', nested 'true')")
result({{
    "active": sparksieve.is_active(spark),
    "rows": [row.val for row in df.where("val > 48").collect()],
    "view": [row.cubed for row in spark.sql("SELECT data.cubed FROM v WHERE val > 4").collect()],
    "catalog": spark.sql("SELECT count(*) FROM rangedb.t100000000").first()[0],
}})
""",
        tmp_path,
    )
    assert facts == {"active": False, "rows": [49, 50], "view": [125], "catalog": 100_000_000}
