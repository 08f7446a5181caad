# SPDX-License-Identifier: Apache-2.0
"""`in_file`, `in_table` and bulk filters over real files, on classic PySpark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import functions as fn

from sparksieve import (
    BulkFilter,
    Exclude,
    Include,
    ProjectionBulkFilter,
    SieveNotActiveError,
    in_file,
    in_table,
)
from support import run_program

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

CARS = [
    (1, "red", "BMW", "EU"),
    (2, "red", "BMW", "EU"),
    (3, "blue", "Tata", "ASIA"),
    (4, "green", "BMW", "NA"),
    (5, None, "Fiat", "EU"),
    (6, "white", None, None),
    (7, None, None, "NA"),
]


@pytest.fixture(scope="module")
def files(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("values")

    def values(name: str, *rows: str | None) -> None:
        made = spark.createDataFrame([(row,) for row in rows], "value string")
        made.coalesce(1).write.parquet(str(folder / name))

    values("colors", "red", "blue", "blue", None)
    values("regions", "NA")
    pairs = spark.createDataFrame([("red", "BMW"), ("blue", "BMW")], "color string, brand string")
    pairs.coalesce(1).write.parquet(str(folder / "pairs"))
    (folder / "brands.csv").write_text("id,brand\n1,BMW\n2,Tata\n", encoding="utf-8")
    names = ("colors", "regions", "pairs", "brands.csv", "cars")
    made = {name: str(folder / name) for name in names}
    spark.createDataFrame(CARS, "id int, color string, brand string, region string").write.parquet(
        made["cars"]
    )
    return made


@pytest.fixture
def cars(spark: SparkSession, files: dict[str, str]) -> DataFrame:
    return spark.read.parquet(files["cars"])


def ids(cars: DataFrame) -> list[int]:
    return sorted(row.id for row in cars.collect())


def plan(query: DataFrame) -> str:
    shown: Any = query._jdf.queryExecution().optimizedPlan().toString()
    return str(shown)


def test_in_file_alone_and_negated(cars: DataFrame, files: dict[str, str]) -> None:
    found = in_file("color", files["colors"])
    assert ids(cars.where(found)) == [1, 2, 3]
    assert ids(cars.where(~found)) == [4, 6]
    assert ids(cars.where(found.isNull())) == [5, 7]
    assert "Join" not in plan(cars.where(found))


def test_any_form_of_key(cars: DataFrame, files: dict[str, str]) -> None:
    for key in ("color", fn.col("color"), cars.color, "lower(upper(color))", fn.lower("color")):
        assert ids(cars.where(in_file(key, files["colors"]))) == [1, 2, 3]
    several: list[Any] = [("color", "brand"), [fn.col("color"), "brand"], "(color, brand)"]
    several.append(fn.struct("color", "brand"))
    for pair in several:
        assert ids(cars.where(in_file(pair, files["pairs"]))) == [1, 2]


def test_options(cars: DataFrame, files: dict[str, str]) -> None:
    brands = in_file("brand", files["brands.csv"], header=True, column="brand")
    assert ids(cars.where(brands)) == [1, 2, 3, 4]
    numbers = in_file("id", files["brands.csv"], header=True, column="brand", invalid="skip")
    assert ids(cars.where(numbers)) == []
    first = in_file("id", files["brands.csv"], format="csv", header=True, column="id")
    assert ids(cars.where(first)) == [1, 2]
    with pytest.raises(TypeError, match="not 1\\.5"):
        in_file("id", files["colors"], column=1.5)  # type: ignore[arg-type]


def test_a_misspelt_option_is_refused_with_the_nearest(
    spark: SparkSession, cars: DataFrame, files: dict[str, str]
) -> None:
    colors = files["colors"]
    columns = [
        in_file("color", colors, colunm="value"),
        ProjectionBulkFilter("color", colors, "Include", {"colunm": "value"}).to_column(),
        in_table("color", "a.b", colunm="value"),
    ]
    for column in columns:
        with pytest.raises(AnalysisException, match=r"no option 'colunm'; .* is 'column'\."):
            cars.where(column)
    for misspelt in (
        in_file("brand", files["brands.csv"], haeder=True, column="brand"),
        Include("brand", files["brands.csv"], haeder=True, column="brand").to_column(),
    ):
        with pytest.raises(AnalysisException, match=r"no option 'haeder'; .* is 'header'\."):
            cars.where(misspelt)
    with pytest.raises(AnalysisException, match=r"no option 'fromat'; .* is 'format'\."):
        spark.sql(f"SELECT in_file('red', '{colors}', map('fromat', 'parquet'))")
    assert ids(cars.where(in_file("color", colors, mergeSchema=True, other="x"))) == [1, 2, 3]


def test_in_table(spark: SparkSession, cars: DataFrame, files: dict[str, str]) -> None:
    spark.read.parquet(files["pairs"]).createOrReplaceTempView("sold_pairs")
    try:
        assert ids(cars.where(in_table("color", "sold_pairs.color"))) == [1, 2, 3]
        assert ids(Exclude("color", table="sold_pairs.color").apply(cars)) == [4, 5, 6, 7]
    finally:
        spark.catalog.dropTempView("sold_pairs")


def test_a_file_that_is_missing_is_named_at_analysis(cars: DataFrame, tmp_path: Path) -> None:
    missing = str(tmp_path / "no-such-file.parquet")
    for predicate in (in_file("color", missing), Include("color", missing).to_column()):
        with pytest.raises(AnalysisException, match=r"no-such-file\.parquet"):
            cars.where(predicate)


@pytest.mark.parametrize(
    ("operation", "nulls", "expected"),
    [
        (Include, "drop", [1, 2, 3]),
        (Include, "keep", [1, 2, 3, 5, 7]),
        (Exclude, "keep", [4, 5, 6, 7]),
        (Exclude, "drop", [4, 6]),
    ],
)
def test_null_keys(
    cars: DataFrame, files: dict[str, str], operation: Any, nulls: str, expected: list[int]
) -> None:
    leaf = operation("color", files["colors"], nulls=nulls)
    assert ids(leaf.apply(cars)) == expected
    assert sorted(expected + ids((~leaf).apply(cars))) == [1, 2, 3, 4, 5, 6, 7]


def test_a_tree_is_one_filter_and_keeps_duplicates(cars: DataFrame, files: dict[str, str]) -> None:
    a = Include("color", files["colors"], name="A")
    c = Include("brand", files["brands.csv"], name="C", header=True, column="brand")
    d = Include("region", files["regions"], name="D")
    tree = d | (c & (a & ~d))
    assert str(tree.sorted()) == "((A and not D) and C) or D"
    twice = cars.unionAll(cars)
    for one in (tree, tree.sorted(), BulkFilter.from_json(tree.to_json())):
        assert ids(one.apply(cars)) == [1, 2, 3, 4, 7]
        assert ids(one.apply(twice)) == sorted([1, 2, 3, 4, 7] * 2)
        assert plan(one.apply(cars)).count("Filter") == 1
        assert "Join" not in plan(one.apply(cars))
        assert ids((~one).apply(cars)) == [5, 6]


def test_without_the_extension_the_way_out_is_named(tmp_path: Path) -> None:
    """Runs in a separate session without Sieve."""
    outcome = run_program(
        """
spark = builder().getOrCreate()
leaf = sparksieve.Include("id", "some-file")
result(error(lambda: leaf.apply(spark.range(3))))
spark.stop()
""",
        tmp_path,
    )
    assert outcome[0] == SieveNotActiveError.__name__
    assert "configure" in outcome[1]


def test_columns_combine(cars: DataFrame, files: dict[str, str]) -> None:
    found: Column = in_file("color", files["colors"]) & (fn.col("id") > 1)
    either = found | in_file("region", files["regions"])
    assert ids(cars.where(either)) == [2, 3, 4, 7]
    labels = cars.select("id", fn.when(either, "in").otherwise("out").alias("side"))
    assert labels.where("side = 'in'").count() == 4
