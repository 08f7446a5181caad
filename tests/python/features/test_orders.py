# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sparksieve
from sparksieve import OrderRow, PlotError, Report
from support import run_program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

COSTLY_FIRST = "length(sha2(s, 512)) = 128 AND a > 60 AND b > 30"
"""The first predicate drops nothing, so the order changes whatever times are measured."""


@pytest.fixture
def adaptive(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sieve.adaptiveFilter.enabled", "true")
    yield
    spark.conf.set("spark.sieve.adaptiveFilter.enabled", "false")


@pytest.fixture
def numbers(spark: SparkSession, tmp_path: Path) -> str:
    path = str(tmp_path / "numbers")
    columns = ["id % 100 AS a", "id * 7 % 100 AS b", "CAST(id AS STRING) AS s"]
    spark.range(0, 40_000, 1, 4).selectExpr("id", *columns).write.parquet(path)
    return path


@pytest.mark.usefixtures("adaptive")
def test_a_run_tells_its_orders(spark: SparkSession, numbers: str) -> None:
    query = spark.read.parquet(numbers).where(COSTLY_FIRST).select("id")
    before = sparksieve.report(query)
    assert [row.rule for row in before.applied] == ["PlanAdaptiveFilter"]
    assert before.orders == []
    with pytest.raises(PlotError, match="has run in this session"):
        before.plot()
    found = len(query.collect())
    after = sparksieve.report(query)
    assert {order.written for order in after.orders} == {1, 2, 3}
    last = {order.written: order for order in after.orders}
    assert last[1].position > 1
    assert any(f"{found:,} rows kept" in row.detail for row in after.measured)
    assert after.to_dict()["orders"][0]["predicate"]


def test_wrong_values_are_refused(spark: SparkSession) -> None:
    for key, wrong in {
        "spark.sql.adaptiveFilter.collectRate": "0",
        "spark.sieve.adaptiveFilter.calculateRate": "-5",
        "spark.sieve.adaptiveFilter.momentum": "1",
        "spark.sql.adaptiveFilter.momentum": "-0.1",
        "spark.sieve.adaptiveFilter.policy": "best",
    }.items():
        with pytest.raises(Exception, match=key.split(".")[-1]):
            spark.conf.set(key, wrong)


def test_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    orders = [
        OrderRow("Filter over t", executor, ms, f"p{k}", k, place, 0.1 * k, None)
        for executor in ("1", "2")
        for ms, places in ((0, (1, 2)), (10, (2, 1)))
        for k, place in zip((1, 2), places)
    ]
    figure = Report([], [], orders).plot()
    left, right = figure.axes
    assert len(left.lines) == 4
    assert right.get_legend() is not None
    file = tmp_path / "orders.png"
    figure.savefig(file)
    assert file.stat().st_size > 1000
    # What a notebook shows that has not imported pyplot.
    assert getattr(figure, "_repr_png_")().startswith(b"\x89PNG")  # noqa: B009


def test_without_matplotlib_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    order = OrderRow("Filter over t", "1", 0, "p", 1, 1, None, None)
    with pytest.raises(PlotError, match=r"pip install 'sparksieve\[plot\]'"):
        Report([], [], [order]).plot()


def test_two_executors_adapt_apart(tmp_path: Path) -> None:
    """Each executor reports its own orders; each predicate drops rows in only half of the data."""
    executors = run_program(
        f"""
path = {str(tmp_path / "halves")!r}
made = builder().config("spark.master", "local-cluster[2,1,1024]")
for key, value in {{
    "spark.executor.memory": "512m",
    "spark.locality.wait": "0",
    "spark.scheduler.minRegisteredResourcesRatio": "1",
    "spark.sql.files.maxPartitionBytes": "64k",
}}.items():
    made = made.config(key, value)
spark = sparksieve.configure(made).getOrCreate()
half = "id < 200000"
spark.range(0, 400000, 1, 16).selectExpr(
    "id",
    f"concat('x', if({{half}}, id % 100, 1)) AS s",
    f"concat('y', if({{half}}, 1, id % 100)) AS t",
).write.parquet(path)
query = spark.read.parquet(path).where("s LIKE '%1' AND t LIKE '%1'").select("id")
query.collect()
result(sorted({{order.executor for order in sparksieve.report(query).orders}}))
""",
        tmp_path,
    )
    assert executors == ["0", "1"]
