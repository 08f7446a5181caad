# SPDX-License-Identifier: Apache-2.0
"""The page: everything is escaped, no external resources, the figures as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from demo_samples import outcome

from sparksieve.demo.page import render
from sparksieve.demo.runner import DIFFERENT, FAILED, UNCHANGED

SETTINGS = {"Data": "rows & <more>", "Spark": "4.3.0", "Cores used": "2", "Timed runs": "3"}
EVIL = "</script><script>alert('x')</script>"


class Elements(HTMLParser):
    """Collects the elements, and checks that each needed end tag is there, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parse(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    elements.close()
    assert elements.open == []
    return elements


def sample() -> str:
    outcomes = [
        outcome("a", title=EVIL, notes=(EVIL,)),
        outcome("b", UNCHANGED),
        outcome("c", DIFFERENT),
        outcome("d", FAILED, error=EVIL),
    ]
    return render(outcomes, {**SETTINGS, "Evil": EVIL})


def test_everything_is_escaped() -> None:
    page = sample()
    elements = parse(page)
    assert [attrs for tag, attrs in elements.seen if tag == "script"] == [
        {"type": "application/json", "id": "results"}
    ]
    assert "alert(&#39;x&#39;)" in page
    assert "SELECT 1 &lt; 2" in page
    assert "spark.some.key = &lt;on&gt;" in page
    assert "rows &amp; &lt;more&gt;" in page


def test_nothing_comes_from_elsewhere() -> None:
    page = sample()
    assert not re.search(r"https?:|//cdn|@import|url\(", page)
    attributes = {name for _, attrs in parse(page).seen for name in attrs}
    assert not attributes & {"src", "href", "srcset", "onclick", "onload"}


def test_the_style_sheet_is_in_the_page_unescaped() -> None:
    page = sample()
    style = page[page.index("<style>") : page.index("</style>")]
    assert "@media (prefers-color-scheme: dark) {" in style
    assert '"Segoe UI"' in style
    assert "link" not in {tag for tag, _ in parse(page).seen}


def test_cases_are_shown_by_feature_in_the_order_in_which_they_ran() -> None:
    ran = [("b", "zebra"), ("c", "ant"), ("a", "zebra")]
    page = render([replace(outcome(n), feature=feature) for n, feature in ran], SETTINGS)
    found = re.findall(r"<h3>(zebra|ant)</h3>|<code>([abc])</code>", page)
    assert [feature or name for feature, name in found] == ["zebra", "b", "a", "ant", "c"]


def test_nothing_stands_between_the_lines_of_a_plan() -> None:
    page = sample()
    for text in re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL):
        assert re.fullmatch(r"(<span [^>]*>[^<\n]+</span>)+", text)


def test_the_figures_are_there_as_json() -> None:
    page = sample()
    found = re.search(r'id="results">(.*?)</script>', page, re.DOTALL)
    assert found
    results = json.loads(found[1])
    assert results["settings"]["Evil"] == EVIL
    assert [case["status"] for case in results["cases"]] == [
        "changed", "unchanged", "different rows", "failed",
    ]  # fmt: skip
    first = results["cases"][0]
    assert first["ratio"] == 4.0
    assert first["off"]["joins"] == 1
    assert first["on"]["joins"] == 0
    assert results["cases"][1]["ratio"] is None
    assert results["cases"][3]["error"] == EVIL


def test_plans_are_marked_and_without_ids() -> None:
    page = sample()
    assert "a#1" not in page
    assert re.search(r'class="gone"[^>]*>Join LeftAnti<', page)
    assert re.search(r'class="new"[^>]*>Filter NOT \(x = 1\)<', page)


def test_bars_are_parts_of_the_longest() -> None:
    assert "--part:1.0000" in sample()
    assert "--part:0.2500" in sample()
