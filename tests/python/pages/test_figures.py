# SPDX-License-Identifier: Apache-2.0
"""The figures of the documentation: charts, tables and texts are those of the raw figures."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from support import ROOT, docs_module

FIGURES = ROOT / "docs" / "figures"
charts = docs_module("charts")

# The charts of other engines have a test and colours of their own.
CHARTS = sorted(set(FIGURES.rglob("*.svg")) - set(FIGURES.glob("peers-*")))

SVG = "{http://www.w3.org/2000/svg}"


def results(*ratios: float) -> dict[str, object]:
    def case(number: int, ratio: float) -> dict[str, object]:
        sides = {"off": {"seconds": [ratio] * 3}, "on": {"seconds": [1.0] * 3}}
        return {"title": f"Case <{number}>", **sides}

    return {"cases": [case(number, ratio) for number, ratio in enumerate(ratios)]}


def test_every_chart_is_that_of_its_figures() -> None:
    made = charts.charts()
    assert sorted(made) == CHARTS
    stale = [str(path) for path, text in made.items() if path.read_text("utf-8") != text]
    assert stale == [], "run python docs/charts.py"


def test_every_case_is_drawn_with_losses_to_the_left() -> None:
    bars = charts.demo_bars(results(4.0, 1.0, 0.5))
    root = ElementTree.fromstring(charts.chart("Title", "Note & more", bars))
    drawn = [
        (group.find(f"{SVG}title"), group.find(f"{SVG}rect")) for group in root.iter(f"{SVG}g")
    ]
    kinds = [rect.get("class") for _, rect in drawn if rect is not None]
    assert kinds == ["gain", "same", "loss"]
    starts = [float(rect.get("x", "")) for _, rect in drawn if rect is not None]
    assert starts[0] == starts[1] > starts[2]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for expected in ("Case <0>", "4.0x", "1.00x", "0.50x"):
        assert expected in texts


def test_a_chart_has_light_and_dark_colours_and_nothing_from_elsewhere() -> None:
    for chart in CHARTS:
        text = chart.read_text("utf-8")
        assert "@media (prefers-color-scheme: dark)" in text
        assert text.count("http") == 1, "only the namespace"
        assert "script" not in text


def test_raw_figures_name_no_machine() -> None:
    for figures in FIGURES.rglob("*.json"):
        text = figures.read_text("utf-8")
        assert not re.search(r"/(tmp|root|home|work|Users)/|file:/", text), figures.name


def test_a_control_is_below_all_queries() -> None:
    found = json.loads((FIGURES / "setop.json").read_text("utf-8"))
    bars = charts.bench_bars(found)
    assert [bar.control for bar in bars][-1:] == [True]
    assert [bar.control for bar in bars].count(True) == 1


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.81, "0.81x"), (0.97, "0.97x"), (1.04, "1.04x"), (3.42, "3.4x"), (31, "31x")],
)
def test_ratios(ratio: float, text: str) -> None:
    assert charts.times(ratio) == text


def rows_of(page: Path) -> dict[str, str]:
    """The ratio of each query in the last table of a page whose second column is `off/on`."""
    tables = page.read_text("utf-8").split("| query | off/on |")
    assert len(tables) > 1, page
    found = re.findall(r"^\| (.+?) \| ([^|]+) \| [^|]*\|", tables[-1], re.MULTILINE)
    return {re.sub(r" \((?!\(|a OR).*\)$", "", query): ratio for query, ratio in found}


def test_the_figures_on_the_front_pages_are_those_of_the_benchmarks() -> None:
    expected = rows_of(ROOT / "docs" / "benchmarks.md")
    assert len(expected) > 8
    for page in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        assert rows_of(page) == expected, page


def test_the_ratios_of_larger_runs_are_those_of_their_files() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    from_file = r"^\|.*?\| ([\d.]+x) \|.*\| (?:`(\w+)` of )?`(\S+)`, \[raw\]\((\S+)\) \|$"
    rows = re.findall(from_file, page, re.MULTILINE)
    assert len(rows) > 6
    for ratio, other, name, file in rows:
        cases = json.loads((ROOT / "docs" / file).read_text("utf-8"))["cases"]
        medians = {
            one["name"]: one["median"]
            for case in cases
            if case["name"] == name
            for one in case["variants"]
        }
        assert ratio == charts.times(medians[other or "off"] / medians["on"]), name


def test_every_feature_has_figures_and_a_command() -> None:
    features = json.loads((ROOT / "docs" / "reasons.json").read_text("utf-8"))["features"]
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    for feature in features:
        assert (FIGURES / f"{feature}.json").exists()
        for part in (
            f"<!-- figures: {feature} -->",
            f"figures/{feature}.svg",
            f"command: {feature}",
        ):
            assert part in page
