# SPDX-License-Identifier: Apache-2.0
"""The filter objects without rows: points, order, texts, JSON, and invalid arguments."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as fn

from sparksieve import BulkFilter, BulkFilterError, Exclude, Include, ProjectionBulkFilter
from sparksieve._bulkfilter.json_form import read, write
from support import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from sparksieve._bulkfilter.node import BulkFilterNode

GOLDEN = ROOT / "tests" / "golden" / "bulkfilter"


def golden(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    assert len(cases) > 10
    return cases


def leaf(name: str) -> ProjectionBulkFilter:
    return Include(name, f"{name}.parquet", name=name)


A, B, C, D = map(leaf, "ABCD")
E, F, W, X, Y = map(leaf, "EFWXY")


def both(*instances: BulkFilterNode) -> BulkFilter:
    return BulkFilter("AND", instances)


def either(*instances: BulkFilterNode) -> BulkFilter:
    return BulkFilter("OR", instances)


@pytest.mark.parametrize("one", golden("filters.json"), ids=lambda one: one["about"])
def test_scala_and_python_agree(one: dict[str, Any]) -> None:
    found = read(one["json"])
    assert write(found) == one["json"]
    assert str(found) == one["text"]
    assert found.points == one["points"]
    assert str(found.sorted() if isinstance(found, BulkFilter) else found) == one["sorted"]
    assert str(~found) == one["complement"]
    assert ~~found == found


@pytest.mark.parametrize("one", golden("errors.json"), ids=lambda one: one["json"])
def test_errors_name_the_place_and_what_is_allowed(one: dict[str, Any]) -> None:
    with pytest.raises(BulkFilterError) as failure:
        BulkFilter.from_json(one["json"])
    assert str(failure.value) == one["error"]


def test_the_documents_points() -> None:
    assert A.points == 0.1
    assert either(B, C).points == pytest.approx(2)
    assert both(D, E).points == pytest.approx(0.01)
    assert both(A, either(B, C), both(D, E)).points == pytest.approx(0.002)
    inner = both(X, either(W, Y))
    assert inner.points == pytest.approx(0.2)
    assert both(A, either(B, C), both(D, E), inner).points == pytest.approx(0.0004)


def test_the_documents_arrangements() -> None:
    assert str(both(either(A, B), C, either(D, F)).sorted()) == "C and (A or B) and (D or F)"
    assert str(either(D, both(C, both(A, B))).sorted()) == "((A and B) and C) or D"
    assert str(both(either(B, C), A).sorted()) == "A and (B or C)"


def test_operators_join_chains_on_their_left() -> None:
    assert both(A, B, C) == A & B & C
    assert both(A, both(B, C)) == A & (B & C)
    assert either(A, both(B, C), D) == A | B & C | D
    assert str((D | (C & (A & B))).sorted()) == "((A and B) and C) or D"


def test_what_a_complement_keeps_of_null_keys() -> None:
    for made in (Include, Exclude):
        for nulls in ("keep", "drop"):
            one = made("k", "f", nulls=nulls)
            opposite = ~one
            assert opposite.operation != one.operation
            assert opposite.nulls != one.nulls
    assert ~Include("k", "f") == Exclude("k", "f")
    assert both(~A, B) == ~(A | ~B)


def test_words_in_any_case_and_unknown_ones() -> None:
    assert BulkFilter("and", [A]).operator == "AND"
    assert ProjectionBulkFilter("a", "f", "EXCLUDE").operation == "Exclude"
    refused: list[tuple[str, Callable[[], object]]] = [
        ("'XOR' is not an operator; allowed are AND, OR", lambda: BulkFilter("XOR", [A])),
        (
            "'Semi' is not an operation; allowed are Include, Exclude",
            lambda: ProjectionBulkFilter("a", "f", "Semi"),
        ),
        ("'lose' is not a treatment of nulls", lambda: Include("a", "f", nulls="lose")),
        ("instances must not be empty", lambda: BulkFilter("OR", [])),
        ("key must not be empty", lambda: Include(" ", "f")),
        ("file must not be empty", lambda: Include("a", " ")),
        ("table must not be empty", lambda: Include("a", table="")),
        ("name must not be empty", lambda: A.named("")),
        ("give either a path or table=, not both", lambda: Include("a")),
        ("give either a path or table=, not both", lambda: Exclude("a", "f", table="t")),
        ("not 1.5", lambda: Include("a", "f", sep=1.5)),  # type: ignore[arg-type]
        ("& (and)", lambda: A and B),
        ("& (and)", lambda: not A),
        ("This is not JSON: ", lambda: BulkFilter.from_json("{")),
        ("This is not JSON: ", lambda: BulkFilter.from_json("")),
        ("'version' is there twice", lambda: BulkFilter.from_json('{"version":1,"version":1}')),
        ("NaN is no number", lambda: BulkFilter.from_json('{"version":NaN}')),
        ("nested too deeply", lambda: BulkFilter.from_json("[" * 100_000)),
    ]
    for message, call in refused:
        with pytest.raises(BulkFilterError) as failure:
            call()
        assert message in str(failure.value)
    with pytest.raises(TypeError):
        A & True  # type: ignore[operator]


@pytest.mark.parametrize("leaf_of", [Include, Exclude])
@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("colunm", "column"),
        ("Colum", "column"),
        ("fromat", "format"),
        ("invalidd", "invalid"),
        ("tabel", "table"),
        ("null", "nulls"),
        ("names", "name"),
        ("pth", "path"),
        ("PATH", "path"),
        ("file", "path"),
    ],
)
def test_a_misspelt_keyword_is_refused_with_the_nearest(
    leaf_of: Callable[..., object], wrong: str, nearest: str
) -> None:
    with pytest.raises(BulkFilterError, match=f"no option '{wrong}'; the nearest is '{nearest}'"):
        leaf_of("id", "x.csv", **{wrong: "c"})


def test_the_first_misspelt_keyword_is_named_before_what_is_missing() -> None:
    with pytest.raises(BulkFilterError, match="no option 'file'; the nearest is 'path'"):
        Include("id", file="x.csv", colunm="c")


def test_options_of_readers_are_left_to_sparks_side() -> None:
    source = next(ROOT.glob("scala-src/main/scala/**/KeyOptions.scala"))
    names = source.read_text(encoding="utf-8").split('"""')[1].replace("|", " ").split()
    assert len(names) > 50
    own = ["Format", "COLUMN", "invalid"]
    for name in [*names, *own, "url", "dataAddress", "maxRowsInMemory", "rows"]:
        assert Include("id", "x.csv", **{name: "1"}).options == {name: "1"}


def test_a_leaf_alone_is_read_as_a_filter_of_one() -> None:
    found = BulkFilter.from_json(A.to_json())
    assert found == both(A)
    assert str(found) == "A"
    assert found.points == A.points


def test_options_nulls_tables_and_names_are_written_where_they_say_something() -> None:
    full = Exclude("k", table="shop.cars.id", nulls="drop", name="sold", invalid="skip")
    assert full.to_json() == (
        '{"version":1,"filter":{"operation":"Exclude","key":"k","table":"shop.cars.id",'
        '"options":{"invalid":"skip"},"nulls":"drop","name":"sold"}}'
    )
    assert Include("k", "f").to_json() == (
        '{"version":1,"filter":{"operation":"Include","key":"k","file":"f"}}'
    )
    assert Include("k", "f", header=True, maxColumns=7).options == {
        "header": "true",
        "maxColumns": "7",
    }


def test_filters_are_values() -> None:
    tree = (A | ~B) & Include("k", "f", header=True)
    assert {tree, copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))} == {tree}
    assert A != B
    assert A != "A"


def test_keys_have_a_text_where_spark_tells_one(spark: SparkSession) -> None:
    cars = spark.createDataFrame([("red", 1)], "color string, `a b` int")
    texts = {
        "color": [fn.col("color"), cars["color"], cars.color, fn.expr("color")],
        "cars.color": [fn.col("cars.color")],
        "struct(color, id)": [("color", "id"), [fn.col("color"), "id"]],
    }
    for text, keys in texts.items():
        for key in keys:
            made = Include(key, "f")
            assert made == Include(text, "f")
            assert BulkFilter.from_json(made.to_json()).instances == (made,)
    for key in (fn.lit("color"), fn.lower("color"), fn.col("`a b`"), ("color", fn.lit(1))):
        made = Include(key, "f")
        assert made == Include(key, "f")
        assert made.key_text is None
        with pytest.raises(BulkFilterError, match="make the leaf from the text of an expression"):
            made.to_json()


def test_a_wide_level_becomes_no_deep_expression(spark: SparkSession) -> None:
    wide = BulkFilter("OR", [Include("id", f"f{i}") for i in range(300)])
    text = str(wide.to_column())
    assert text.count("in_file(id") == 300
    assert text.count("(((((((((((") < 3
    assert BulkFilter.from_json(wide.to_json()) == wide
