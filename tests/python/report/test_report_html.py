# SPDX-License-Identifier: Apache-2.0
"""The HTML of a report in notebooks. No JVM is started here."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from report_samples import FOLDER, files, join, two_predicates

from sparksieve import OrderRow, PlanPair, Report, ReportRow, Scan, ScanPredicate

VOID = ("br", "meta")
EVIL = "<script>alert(1)</script>\"'&<b>"


class Page(HTMLParser):
    """Collects the tags, the attributes, and the shown text with the tags around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[tuple[str, tuple[str, ...]]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((data, tuple(self.open)))

    def shown(self, *within: str) -> str:
        """The text inside all of these tags, without the style sheet's."""
        return "".join(
            t for t, tags in self.texts if set(within) <= set(tags) and "style" not in tags
        )


@pytest.mark.parametrize("make", [join, files, two_predicates, lambda: Report([], [])])
def test_the_html_is_well_formed_and_runs_nothing(make: type[Report]) -> None:
    page = Page(make()._repr_html_())
    assert "script" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "http" not in make()._repr_html_()


def test_what_matters_is_shown_and_the_rest_is_folded() -> None:
    html = files()._repr_html_()
    first, _, folded = html.partition("<details>")
    page = Page(f"{first}</div>")
    assert page.shown().startswith("Sieve: 2 applied, 0 declined. 100 rows read, 9 kept.")
    for text in ("bulkfilter", "values-of-files", "Remedy", "Under AND", "evaluated in the order"):
        assert text in page.shown("li")
    assert "<details open" not in html
    assert "All verdicts and measurements" in folded
    assert "Orders over time: Filter over" in folded
    assert "60.3 % true" in folded
    assert "60.3 % true" not in first


def test_a_reason_of_several_predicates_is_given_once() -> None:
    first = files()._repr_html_().partition("<details>")[0]
    assert first.count("Under AND") == 1
    assert first.count("only in Spark") == 1
    assert Page(f"{first}</div>").shown("li", "code").count("in_file(id, 'sold.csv' [_c0])") == 3


def test_the_predicates_of_an_adaptive_filter_are_numbered() -> None:
    page = Page(files()._repr_html_())
    assert page.shown("ol") == "NOT in_file(id, 'sold.csv' [_c0])in_file(town, 'towns.csv' [_c0])"


def test_a_predicate_that_the_scan_cuts_short_is_shown_whole() -> None:
    report = files()
    expected = report._repr_html_()
    whole = report.scans[0].predicates[0]
    report.scans[0].predicates[0] = replace(whole, predicate=f"{whole.predicate[:20]}…")
    assert report._repr_html_() == expected


def test_an_outcome_has_its_colour() -> None:
    row = ReportRow(1, "setop", "Rule", "declined", "different-source", "Except", "a < b & c")
    html = Report([row, replace(row, outcome="applied"), replace(row, outcome="measured")], [])
    for outcome in ("applied", "declined", "measured"):
        shown = f'<span class="sieve-outcome sieve-{outcome}">{outcome}</span>'
        assert html._repr_html_().count(shown) == 2
    assert "a &lt; b &amp; c" in html._repr_html_()


def test_files_have_base_names_and_their_paths_as_titles() -> None:
    page = Page(files()._repr_html_())
    assert "/of/the/" not in page.shown()
    titles = {value for name, value in page.attributes if name == "title"}
    assert titles == {f"{FOLDER}/{name}" for name in ("cars", "sold.csv", "towns.csv")}


def test_empty_columns_are_hidden() -> None:
    def headers(report: Report) -> list[str]:
        return re.findall("<th>(.*?)</th>", report._repr_html_())

    assert headers(join())[:3] == ["predicate", "layers", "detail"]
    assert headers(two_predicates()) == ["predicate", "layers", "reason", "detail", "remedy"]
    assert "no." in headers(files())
    assert "ns each" not in headers(files())


def test_plans_show_the_difference() -> None:
    html = join()._repr_html_()
    assert "Optimized plan: 1 line added, 0 removed" in html
    assert "<ins>+    :- DynamicFilter id#9L IN keys of id</ins>" in html
    # Moved and numbered anew, but in both plans.
    assert "<div>     :  +- Filter isnotnull(id#9L)</div>" in html
    assert "Physical plan (unchanged)" in html
    assert html.count("<ins>") == 2
    assert html.count("<del>") == 1


def test_a_changed_line_is_removed_and_added() -> None:
    pair = PlanPair(
        "physical", "*(1) Top\n+- old a#1\n   +- Scan", "*(2) Top\n+- new a#2\n   +- Scan\n"
    )
    row = ReportRow(1, "setop", "Rule", "applied", None, "Except", "one scan")
    html = Report([row], [pair])._repr_html_()
    assert "Physical plan: 1 line added, 1 removed" in html
    assert "<div>  *(2) Top</div><del>- +- old a#1</del><ins>+ +- new a#2</ins><div>" in html


def test_a_query_without_a_place_is_one_sentence() -> None:
    page = Page(Report([], [PlanPair("physical", "x", "x")])._repr_html_())
    assert page.shown() == "Sieve: no rule applies to this query."


def test_wide_content_scrolls_in_its_own_box() -> None:
    html = files()._repr_html_() + join()._repr_html_()
    assert html.count("<table") == html.count(
        '<div class="sieve-scroll"><table class="sieve-table">'
    )
    assert html.count('<div class="sieve-plan sieve-scroll">') == len(join().plans)


def test_every_text_is_escaped() -> None:
    path = f"file:/data/{EVIL}".replace("</", "<\\/")
    row = ReportRow(1, EVIL, EVIL, "declined", EVIL, EVIL, EVIL)
    scan = Scan(EVIL, path, [ScanPredicate(EVIL, (EVIL,), EVIL, EVIL, EVIL)], 1, 1)
    order = OrderRow(path, EVIL, 0, EVIL, 1, 1, None, None)
    rows = [
        row,
        replace(row, outcome="applied"),
        replace(row, outcome="measured", place=f"x of {path}"),
        replace(row, feature="adaptivefilter", outcome="applied", place=f"Filter over {path}"),
        replace(row, outcome=EVIL),
    ]
    html = Report(
        rows, [PlanPair(EVIL, f"{EVIL}1\n{EVIL}", f"{EVIL}2\n{EVIL}")], [order], [scan]
    )._repr_html_()
    page = Page(html)
    assert "script" not in page.tags
    assert set(re.findall(r"<(\w+)", html)) == set(page.tags)
    assert page.shown("b").count("alert(1)") == page.shown("b").count("<script>alert(1)</script>")
    assert EVIL in page.shown("code")
    assert path in {value for name, value in page.attributes if name == "title"}
