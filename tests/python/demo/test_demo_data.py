# SPDX-License-Identifier: Apache-2.0
"""The prepared tables: generated flights, repeated flights, and what the cache keeps."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as fn

from sparksieve.demo import cars, data, joined
from sparksieve.demo.case import Tables
from sparksieve.demo.errors import DemoError, FlightsError
from sparksieve.demo.fingerprint import fingerprint
from sparksieve.demo.generated import generated_text
from sparksieve.demo.options import Options, parse
from sparksieve.demo.progress import Progress

# The header of the real flights; generated flights have the same columns.
COLUMNS = (
    "year month day dep_time sched_dep_time dep_delay arr_time sched_arr_time arr_delay carrier "
    "flight tailnum origin dest air_time distance hour minute time_hour"
)

# One row is enough: every column is computed by the same hash.
FIRST = "2013,1,1,NA,530,NA,NA,827,NA,YV,628,N851UA,EWR,SYR,NA,1256,5,30,2013-01-01T05:00:00Z"


def prepare(spark: SparkSession, options: Options) -> tuple[Tables, str]:
    printed = io.StringIO()
    return data.prepare(spark, options, Progress(data.STEPS, printed)), printed.getvalue()


@pytest.fixture
def options(tmp_path: Path) -> Options:
    made = parse(["--data", "generated", "--rows", "2000", "--cache", str(tmp_path / "cache")])
    assert made is not None
    return made


def test_the_seed_alone_decides(spark: SparkSession) -> None:
    once = fingerprint(generated_text(spark, 3000, 1))
    assert once.rows == 3000
    assert fingerprint(generated_text(spark, 3000, 1).repartition(3)) == once
    assert fingerprint(generated_text(spark, 3000, 2)) != once


def test_the_same_on_every_spark_line(spark: SparkSession) -> None:
    first = generated_text(spark, 1000, 7).orderBy("time_hour", "flight").first()
    assert first is not None
    assert ",".join(first) == FIRST


def test_shape_of_generated_flights(spark: SparkSession) -> None:
    text = generated_text(spark, 4000, 3)
    assert " ".join(text.columns) == COLUMNS
    typed = data.typed(text)
    kinds = dict(typed.dtypes)
    assert kinds.pop("time_hour") == "timestamp"
    texts = {name for name, kind in kinds.items() if kind == "string"}
    assert texts == set(data.TEXTS)
    assert {kind for name, kind in kinds.items() if name not in texts} == {"int"}
    row = typed.selectExpr(
        "count(DISTINCT month)",
        "min(month)",
        "max(month)",
        "count_if(dep_delay IS NULL)",
        "count_if(tailnum IS NULL)",
        "count_if(dep_delay IS NULL AND arr_delay IS NOT NULL)",
        "count_if(year IS NULL OR month IS NULL OR carrier IS NULL OR time_hour IS NULL)",
        "max(dep_time)",
        "count_if(year(time_hour) != year OR month(time_hour) != month)",
    ).first()
    assert row is not None
    assert tuple(row[:3]) == (12, 1, 12)
    assert row[3] > 0
    assert row[4] > 0
    assert row[7] < 2400
    assert tuple(row[5:7]) == (0, 0)
    assert row[8] == 0


def test_repeats_shift_the_years(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "flights.csv"
    text = generated_text(spark, 50, 5)
    rows = [",".join(row) for row in text.collect()]
    source.write_text("\n".join([",".join(text.columns), *rows]) + "\n")
    repeated = data.repeated(spark, source, 3)
    assert " ".join(repeated.columns) == COLUMNS
    assert repeated.count() == 150
    assert fingerprint(repeated.where("year = 2013")) == fingerprint(text)
    years = data.typed(repeated).selectExpr("year", "year(time_hour) AS of_time").distinct()
    assert {tuple(row) for row in years.collect()} == {(y, y) for y in (2013, 2014, 2015)}


def test_csv_and_parquet_hold_the_same(spark: SparkSession, options: Options) -> None:
    tables, _ = prepare(spark, options)
    assert (tables.source, tables.rows) == ("generated", 2000)
    assert tables.csv_bytes > tables.parquet_bytes > 0
    as_csv, as_parquet = spark.table("flights_csv"), spark.table("flights")
    assert {kind for _, kind in as_csv.dtypes} == {"string"}
    assert fingerprint(data.typed(as_csv)) == fingerprint(as_parquet)


def test_employees_and_departments(spark: SparkSession, options: Options) -> None:
    tables, printed = prepare(spark, options)
    assert "writing employees" in printed
    assert tables.employees == 20_000
    assert tables.employee_bytes > 0
    employee, department = spark.table("employee"), spark.table("department")
    assert fingerprint(employee) == fingerprint(joined.employees(spark, 20_000))
    assert (employee.count(), employee.select("id").distinct().count()) == (20_000, 20_000)
    assert (department.count(), department.select("id").distinct().count()) == (2000, 2000)
    assert department.join(employee, "id", "left_semi").count() == 2000
    # Each file has its own range of ids, so that scans can skip whole files.
    spans = employee.selectExpr("id", "input_file_name() AS file").groupBy("file")
    ends = [(row[1], row[2]) for row in spans.agg({"id": "min"}).join(
        spans.agg({"id": "max"}), "file").collect()]  # fmt: skip
    assert len(ends) == joined.FILES
    assert all(low[1] < high[0] for low, high in pairwise(sorted(ends)))


def test_cars_and_the_values_of_their_filters(spark: SparkSession, options: Options) -> None:
    tables, printed = prepare(spark, options)
    assert "writing cars" in printed
    assert tables.cars == 20_000
    assert tables.car_bytes > 0
    assert fingerprint(spark.table("cars")) == fingerprint(cars.cars(spark, 20_000))
    assert dict(spark.table("cars").dtypes) == {
        "id": "bigint", "color": "int", "brand": "bigint", "region": "string",
    }  # fmt: skip
    columns = {"A": "color", "B": "color", "C": "brand", "D": "region"}
    for name, column in columns.items():
        values = spark.table(f"car_filter_{name.lower()}")
        assert values.distinct().count() == values.count() <= tables.values
        assert tables.values * 5 > values.count() > 1000
        kept = spark.table("cars").join(values, fn.col(column) == values.value, "left_semi")
        assert 1000 < kept.count() < 3000
        file = spark.read.parquet(f"{tables.filters}/{name}.parquet")
        assert fingerprint(file) == fingerprint(values)


@pytest.mark.parametrize("rows", [10, 20_000, 123_456])
def test_the_filters_of_the_joins_find_few(spark: SparkSession, rows: int) -> None:
    department = joined.departments(spark, rows)
    admins = [row.id for row in department.where("dept = 'admin'").collect()]
    assert len(admins) == min(joined.ADMINS, rows // joined.ASSIGNED)
    oslo = [row.id for row in department.where("office = 'Oslo'").collect()]
    assert len(oslo) == min(joined.IN_OSLO, rows // joined.ASSIGNED)
    assert max(oslo) - min(oslo) == (len(oslo) - 1) * joined.ASSIGNED
    if rows >= 20_000:
        assert max(admins) - min(admins) > rows // 2


def test_the_cache_serves_the_second_time(spark: SparkSession, options: Options) -> None:
    first, printed = prepare(spark, options)
    assert "writing" in printed
    second, printed = prepare(spark, options)
    assert "writing" not in printed
    assert second == first
    other, _ = prepare(spark, replace(options, seed=99))
    assert other.parquet != first.parquet
    assert sorted(p.name for p in options.cache.iterdir()) == [
        "generated-2000-seed2013-v4", "generated-2000-seed99-v4",
    ]  # fmt: skip


def test_auto_falls_back_and_says_so(
    spark: SparkSession, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(_: Path) -> Path:
        raise FlightsError("no network today")

    monkeypatch.setattr(data, "flights_csv", unavailable)
    tables, printed = prepare(spark, replace(options, data="auto"))
    assert tables.source == "generated"
    assert "no network today" in printed
    assert "generated data" in printed
    with pytest.raises(FlightsError, match="no network today"):
        prepare(spark, replace(options, data="flights"))


def test_a_cache_that_cannot_be_made(spark: SparkSession, options: Options) -> None:
    blocked = options.cache.parent / "file"
    blocked.write_text("")
    with pytest.raises(DemoError, match="--cache"):
        prepare(spark, replace(options, cache=blocked / "cache"))
