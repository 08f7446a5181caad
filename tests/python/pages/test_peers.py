# SPDX-License-Identifier: Apache-2.0
"""What `bench peers` says of rows and figures; the engines themselves are not run here."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from peers import once, page, rowfiles, texts
from peers.compare import CLOSE, EQUAL, OTHER, compare
from peers.engines import BY_NAME, Kind
from peers.figures import Report
from peers.rounds import Setup
from peers.tables import SUITES

from support import ROOT


@pytest.mark.parametrize(
    ("expected", "found", "verdict"),
    [
        ([], [], EQUAL),
        ([(1, "a"), (2, None)], [(2, None), (1, "a")], EQUAL),
        ([(1,)], [(1,), (1,)], OTHER),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], OTHER),
        ([(None,)], [(0,)], OTHER),
        ([("a ",)], [("a",)], OTHER),
        ([(1, 2)], [(1,)], OTHER),
        ([(0.1 + 0.2,)], [(0.3,)], EQUAL),
        ([(float("nan"),)], [(float("nan"),)], EQUAL),
        ([(Decimal("1.10"),)], [(Decimal("1.1"),)], EQUAL),
        ([(Decimal("1.10"),)], [(Decimal("1.11"),)], OTHER),
        ([(Decimal("0.333333"),)], [(1 / 3,)], CLOSE),
        ([(Decimal("0.333333"),)], [(None,)], OTHER),
        # Rounded values sort in another order than exact ones.
        (
            [(Decimal("0.333333"), 2.0), (Decimal("0.333333"), 1.0)],
            [(1 / 3, 1.0), (0.333333, 2.0)],
            CLOSE,
        ),
    ],
)
def test_rows_are_compared_in_any_order(
    expected: list[tuple[Any, ...]], found: list[tuple[Any, ...]], verdict: str
) -> None:
    assert compare(expected, found)[0] == verdict


def test_one_close_group_makes_the_result_close() -> None:
    expected = [(1, Decimal("0.333333")), (2, Decimal("1.0"))]
    assert compare(expected, [(2, Decimal("1.0")), (1, 1 / 3)]) == (CLOSE, "")
    assert compare(expected, [(2, 5.0), (1, 1 / 3)])[0] == OTHER


def test_rows_come_back_from_their_file(tmp_path: Path) -> None:
    rows = [(None, True, 1, 0.1, "d1", Decimal("1.50"), "")]
    rowfiles.write(tmp_path / "rows.gz", rows)
    assert rowfiles.read(tmp_path / "rows.gz") == rows


def test_a_text_in_each_dialect() -> None:
    sql = "SELECT year(d) AS `a b`, x FROM t WHERE d < e + INTERVAL 30 days\nLIMIT 100"
    assert texts.dialect(sql, "spark") == sql
    assert '"a b"' in texts.dialect(sql, "duckdb")
    assert texts.dialect("SELECT sum(x) returns, y", "duckdb") == 'SELECT sum(x) AS "returns", y'
    fusion = texts.dialect(sql, "datafusion")
    assert "INTERVAL '30 days'" in fusion
    assert "date_part('year', d)" in fusion
    assert texts.unlimited(sql).endswith("30 days")


def report(**walls: list[float]) -> Report:
    """A report of one round, with the seconds of each query by engine."""
    count = len(walls["spark"])
    return Report(
        {
            "engines": {engine: {} for engine in walls},
            "queries": {
                f"q{n}": {
                    "engines": {
                        engine: {
                            "rows": 1,
                            "input_bytes": None,
                            "input_rows": None,
                            "read_bytes": 1,
                            "runs": [{"wall": seconds[n], "cpu": seconds[n], "others": 0.0}],
                        }
                        for engine, seconds in walls.items()
                        if seconds[n]
                    }
                }
                for n in range(count)
            },
        }
    )


def setup(folder: Path) -> Setup:
    return Setup(
        suite=SUITES["tpcds"],
        scale=1,
        layout="sorted",
        engines=[BY_NAME["spark"], BY_NAME["sieve"]],
        texts={"q1": "SELECT a FROM t ORDER BY b LIMIT 1", "q2": "SELECT a FROM t LIMIT 1"},
        runs=1,
        warm=0,
        memory=1,
        threads=1,
        timeout=1,
        jars={},
        spark_python="python",
        python="python",
        home=folder,
        work=folder / "work",
        out=folder / "out",
        add=False,
        once=True,
    )


def test_one_pass_has_seconds_and_rows_and_ties_are_settled_without_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    def passed(_setup: Setup, _report: object, kind: Kind, queries: list[dict[str, Any]]) -> Any:
        for query in queries:
            ran.append((kind.name, query["name"], query["clock"]))
            # Of two rows that tie in q1, each engine returns another one; q2 has other rows.
            whole = [(1,), (2,)] if query["name"] == "q1" or kind.name == "spark" else [(1,), (3,)]
            limited = whole[:1] if kind.name == "spark" else whole[1:]
            rows = limited if "LIMIT" in query["sql"] else whole
            assert "LIMIT" in query["sql"] or not query["clock"]
            assert ("/limited/" in query["rows"]) == ("LIMIT" in query["sql"])
            rowfiles.write(Path(query["rows"]), rows)
            reads = {"rows": len(rows), "input_bytes": None, "input_rows": 9, "read_bytes": 90}
            run = {"wall": 1.0, "cpu": 1.0, "load": 0.0, "others": 0.0}
            yield {"query": query["name"], **reads, **({"run": run} if query["clock"] else {})}

    monkeypatch.setattr(once, "passed", passed)
    found = once.measure(setup(tmp_path))
    assert found == json.loads((tmp_path / "out" / "peers-tpcds-1-sorted.json").read_text())
    assert [query for query in ran if not query[2]] == [
        ("spark", "q1", False),
        ("spark", "q2", False),
        ("sieve", "q1", False),
        ("sieve", "q2", False),
    ]
    first, second = (found["queries"][name]["engines"]["sieve"] for name in ("q1", "q2"))
    assert (first["compared"], first["rows"], first["input_rows"]) == (EQUAL, 1, 9)
    assert "differs" not in first
    assert [run["round"] for run in first["runs"]] == [1]
    assert (second["compared"], second["differs"]) == (OTHER, "for example (2,)")
    assert "in the same run" in page.runs(Report(found))

    # On another machine the reference's rows are not there.
    shutil.rmtree(tmp_path / "work")
    ran.clear()
    again = once.measure(setup(tmp_path)._replace(add=True, engines=[BY_NAME["sieve"]]))
    assert ran[:2] == [("spark", "q1", False), ("spark", "q2", False)]
    third = again["queries"]["q1"]["engines"]["sieve"]
    assert (third["compared"], [run["round"] for run in third["runs"]]) == (EQUAL, [1, 2])


def test_sums_are_over_the_queries_that_every_engine_ran() -> None:
    found = report(spark=[2.0, 8.0, 5.0], sieve=[1.0, 2.0, 0])
    assert found.common() == ["q0", "q1"]
    summary = found.summary("sieve", found.common())
    assert summary.wall == 3.0
    assert round(summary.ratio, 6) == round((2 * 4) ** 0.5, 6)
    assert found.fastest(["spark", "sieve"]) == {"spark": 0, "sieve": 2}


def test_excerpts_keep_names_and_are_short() -> None:
    assert page.code('near "at"\n AND  `web_page`.x') == "near \"at\" AND 'web_page'.x"
    assert page.code("x" * 500) == "x" * page.EXCERPT + " …"


def test_the_page_is_that_of_the_reports() -> None:
    reports = page.load(ROOT / "docs" / "figures")
    file = ROOT / "docs" / "peers.md"
    if not reports:
        assert not file.exists()
        return
    written = file.read_text(encoding="utf-8")
    assert written == page.text(reports), 'Run ./sbt "bench peers --page".'
    for name in reports:
        for plot in ("sums", "ratios"):
            assert (ROOT / "docs" / "figures" / f"{name}-{plot}.svg").is_file()
