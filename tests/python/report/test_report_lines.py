# SPDX-License-Identifier: Apache-2.0
"""How long the text of a report is, for queries that have run on Spark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve import Report
from sparksieve._report.text import brief
from sparksieve.demo.runner import settings


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder with a long path, which reports must not repeat."""
    return str(tmp_path / "warehouse-of-the-department" / "tables-of-this-year")


@pytest.fixture
def adaptive(spark: SparkSession) -> Iterator[None]:
    with settings(spark, {"spark.sieve.adaptiveFilter.enabled": "true"}):
        yield


def lines(report: Report) -> list[str]:
    return brief(report, 120).splitlines()


@pytest.mark.parametrize("threshold", ["-1", "10MB"])
def test_a_join(spark: SparkSession, folder: str, threshold: str) -> None:
    people, places = f"{folder}/people_of_all_countries", f"{folder}/places_of_all_countries"
    names = "concat('name ', id) AS name"
    spark.range(0, 20_000, 1, 8).selectExpr("id", "id % 7 AS a", names).write.parquet(people)
    dept = "if(id % 100 = 7, 'admin', 'other') AS dept"
    city = "concat('city ', id) AS city"
    spark.range(0, 2_000, 1, 1).selectExpr("id * 10 AS id", dept, city).write.parquet(places)
    query = spark.read.parquet(people).join(
        spark.read.parquet(places).where("dept = 'admin'"), "id"
    )
    with settings(spark, {"spark.sql.autoBroadcastJoinThreshold": threshold}):
        assert len(lines(sparksieve.report(query))) <= 8
        assert len(query.collect()) == 20
        after = lines(sparksieve.report(query))
    assert len(after) <= 12
    text = " ".join(" ".join(after).split())
    assert "applied dynamicfilter: id IN keys of id" in text
    assert "20 keys" in text
    assert "20,000 rows read" in text
    assert "files skipped" in text
    # What can be skipped is no claim about what was: figures say that.
    assert "id IN (keys of id) skipped, spark: files and row groups that hold no key can be" in text
    # Said once, if at all: "spark" is the name of the layer.
    assert "Spark evaluates it" not in text
    assert text.count("row groups and pages") == 1
    assert folder not in text


@pytest.mark.usefixtures("adaptive")
def test_a_tree_by_files(spark: SparkSession, folder: str) -> None:
    def values(name: str, texts: list[str]) -> str:
        path = Path(folder, f"{name}.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return str(path)

    cars = f"{folder}/cars"
    columns = [f"concat('{name} ', id % 50) AS {name}" for name in ("colour", "brand", "town")]
    spark.range(0, 20_000, 1, 2).selectExpr("id", *columns).write.parquet(cars)
    sold = values("sold_last_year", [str(n) for n in range(0, 20_000, 3)])
    colours, brands, towns = (
        values(f"{name}s", [f"{name} {n}" for n in range(30)])
        for name in ("colour", "brand", "town")
    )
    isin = sparksieve.in_file
    tree = (isin("colour", colours) | isin("brand", brands)) & ~isin("id", sold)
    query = spark.read.parquet(cars).where(tree & isin("town", towns))
    assert len(lines(sparksieve.report(query))) <= 12
    query.collect()
    after = lines(sparksieve.report(query))
    assert len(after) <= 15
    text = " ".join(" ".join(after).split())
    assert text.count("sold_last_year.csv") == 2
    assert "adaptivefilter: evaluates predicates 1 to 3 of scan 1 in the cheapest order" in text
    assert "1. NOT in_file(id, 'sold_last_year.csv' [_c0])" in text
    assert "(6,667 values)" in text
    assert folder not in text


def test_nothing_applicable(spark: SparkSession) -> None:
    assert lines(sparksieve.report(spark.range(3))) == ["Sieve: no rule applies to this query."]


def test_a_counting_rewrite(spark: SparkSession, folder: str) -> None:
    spark.range(0, 100, 1, 1).selectExpr("id % 9 AS v", "id % 3 AS k").write.parquet(folder)
    table = spark.read.parquet(folder)
    query = table.where("k < 2").select("v").exceptAll(table.where("k = 1").select("v"))
    text = brief(sparksieve.report(query), 500).splitlines()
    assert text[1].startswith("applied   setop: one scan that counts both sides [EXCEPT ALL")
    assert text[2].startswith("declined  setop: not-row-determined: ")
    assert text[2].endswith("[same place, which another rule rewrote]")
