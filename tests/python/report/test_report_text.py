# SPDX-License-Identifier: Apache-2.0
"""The text of a report, short and in full. No JVM is started here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from report_samples import FOLDER, files, join, two_predicates

from sparksieve import Report, ReportRow, Scan, ScanPredicate
from sparksieve._report.text import brief


def verdict(number: int, outcome: str, rule: str, detail: str, place: str = "JOIN") -> ReportRow:
    reason = "a-reason" if outcome == "declined" else None
    return ReportRow(number, "setop", rule, outcome, reason, place, detail)


def test_a_join_after_its_run() -> None:
    assert brief(join(), 120).splitlines() == [
        "Sieve: 1 applied, 0 declined. 22,000 rows read, 40 kept.",
        "applied   dynamicfilter: id IN keys of id (broadcast) [INNER JOIN (id, a, name, …) from "
        "parquet people, parquet places]",
        "measured  DynamicFilter: 20 keys (216.0 B) collected in 26 ms from a broadcast; "
        "20 of 20,000 rows kept",
        "",
        "Scan 1, parquet people: 20,000 rows read, 20 kept; 0 of 8 files skipped; row groups "
        "pruned by 20 ranges of keys",
        "  id IN (keys of id)  skipped, spark: files and row groups that hold no key can be "
        "skipped",
        "Scan 2, parquet places: 2,000 rows read, 20 kept",
        "  dept = 'admin'  pushed, spark: row groups and pages can be skipped by their statistics",
    ]


def test_a_tree_by_files_after_its_run() -> None:
    assert brief(files(), 160).splitlines() == [
        "Sieve: 2 applied, 0 declined. 100 rows read, 9 kept.",
        "applied   bulkfilter: in the order as given: not C and D, 2 points; where C = id in "
        "sold.csv[_c0] (16 values); D = town in towns.csv[_c0] (10 values (bytes,",
        "          296.0 B) of 12 rows in 418 ms; 2 NULLs) [Filter over Relation]",
        "applied   adaptivefilter: evaluates predicates 1 and 2 of scan 1 in the cheapest order; "
        "predicate 2 may fail, so it stays after those before it",
        "measured  AdaptiveFilter: 9 rows kept; evaluated in the order 2, 1; 1 new order on "
        "1 executor",
        "",
        "Scan 1, parquet cars: 100 rows read, 9 kept",
        "  1. NOT in_file(id, 'sold.csv' [_c0])      spark (values-of-files): It tests membership "
        "in the values of a file; a source can only be given what it must be.",
        "                                            Under AND, in_file without NOT limits what is "
        "read.",
        "  2. in_file(town, 'towns.csv' [_c0])       skipped, spark: files and row groups that "
        "hold no key can be skipped",
        "     f(x) OR in_file(id, 'sold.csv' [_c0])  spark (values-of-files)",
    ]


@pytest.mark.parametrize("make", [join, files, two_predicates])
def test_the_details_lose_nothing(make: type[Report], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "5000")
    report = make()
    report.details = True
    text = str(report)
    for row in report.rows:
        assert {row.outcome, row.feature, row.rule, row.place, row.detail} <= set(cells(text))
    for scan in report.scans:
        assert f"{scan.source}: {scan.place}" in text
        for one in scan.predicates:
            explained = " ".join(filter(None, (one.detail, one.remedy)))
            assert {one.predicate, ", ".join(one.layers), explained} <= set(cells(text))


def cells(table: str) -> list[str]:
    return [cell.strip() for line in table.splitlines() for cell in line.split("  ")]


def test_the_details_have_no_empty_column() -> None:
    report = join()
    report.details = True
    lines = str(report).splitlines()
    assert lines[0].split() == ["id", "outcome", "feature", "rule", "place", "detail"]
    assert "predicate" in str(report)
    assert "reason" not in str(report)


def test_the_text_of_scans() -> None:
    lines = str(two_predicates()).splitlines()
    assert lines[0] == "Sieve: no rule applies to this query. 1,000 rows read, 10 kept."
    assert lines[2:] == [
        "Scan 1, parquet db.t: 1,000 rows read, 10 kept",
        "  a > 1   pushed, spark: row groups and pages can be skipped by their statistics",
        "  f(<b>)  spark (udf): It calls a function: f. Do not.",
    ]
    one = Scan("csv", "t", [], 1, 0)
    assert one.run == "1 row read, 0 kept"
    assert str(Report([], [], scans=[one])).endswith(
        "query. 1 row read, 0 kept.\n\nScan 1, csv t: 1 row read, 0 kept"
    )


def test_the_details_of_scans() -> None:
    report = two_predicates()
    report.details = True
    lines = str(report).splitlines()
    assert lines[2] == "Scan 1, parquet: db.t"
    assert lines[3].split() == ["predicate", "layers", "reason", "detail"]
    assert "It calls a function: f. Do not." in str(report)
    assert lines[-1] == "1,000 rows read, 10 kept"


def test_the_text_leaves_out_what_was_not_written() -> None:
    scan = Scan(
        "parquet",
        "file:/a/very/long/path/of/t",
        [
            ScanPredicate("c IS NOT NULL", ("pushed", "spark"), None, "stats; rows.", None),
            ScanPredicate("c > 1 AND d IS NOT NULL", ("spark",), None, "rows.", None),
        ],
    )
    only = Scan("csv", "u", [ScanPredicate("c IS NOT NULL", ("skipped",), None, "files.", None)])
    rows = [verdict(1, "declined", "Rule", "only one", "Filter")]
    assert brief(Report(rows, [], scans=[scan, only])).splitlines() == [
        "Sieve: 0 applied, 1 declined.",
        "declined  setop: a-reason: only one [Filter]",
        "",
        "Scan 1, parquet t",
        "  c > 1 AND d IS NOT NULL  spark",
        "Scan 2, csv u",
        "  c IS NOT NULL  skipped: files",
    ]


def test_what_another_rule_rewrote_is_no_obstacle() -> None:
    rows = [
        verdict(1, "declined", "Narrow", "too narrow", "EXCEPT"),
        verdict(2, "applied", "Counting", "counts", "EXCEPT"),
        verdict(3, "declined", "Counting", "too small", "INTERSECT"),
    ]
    assert brief(Report(rows, [])).splitlines()[1:] == [
        "applied   setop: counts [EXCEPT]",
        "declined  setop: a-reason: too narrow [same place, which another rule rewrote]",
        "declined  setop: a-reason: too small [INTERSECT]",
    ]


def test_the_other_side_of_a_join_is_a_place_of_its_own() -> None:
    rows = [verdict(1, "applied", "Inject", "left"), verdict(2, "declined", "Inject", "right")]
    assert "declined  setop: a-reason: right [JOIN]" in brief(Report(rows, []))


def test_equal_verdicts_are_one_line() -> None:
    rows = [verdict(n, "declined", rule, "no") for n, rule in enumerate(("A", "B"), 1)]
    expected = ["Sieve: 0 applied, 2 declined.", "declined  setop (2 rules): a-reason: no [JOIN]"]
    assert brief(Report(rows, [])).splitlines() == expected
    rows = [verdict(n, "applied", "A", "yes") for n in (1, 2, 3)]
    assert "applied   setop (3 places): yes [JOIN]" in brief(Report(rows, []))


def test_a_predicate_that_the_scan_cuts_short_is_shown_whole() -> None:
    report = files()
    whole = report.scans[0].predicates
    expected = brief(report)
    for count in (60, 20):
        cut = replace(whole[0], predicate=f"{whole[0].predicate[:count]}…")
        report.scans[0].predicates[0] = cut
        assert brief(report) == expected


def test_the_predicates_of_a_view_are_numbered_too() -> None:
    report = files()
    expected = str(report)
    row = report.rows[1]
    # In the filter, the columns of a view have its name.
    qualified = row.detail.replace("in_file(", "in_file(cars.")
    report.rows[1] = replace(row, detail=qualified)
    assert qualified != row.detail
    assert str(report) == expected


def test_predicates_that_are_cut_to_the_same_text_are_not_numbered() -> None:
    report = files()
    cut = ScanPredicate("f(…", ("spark",), None, "rows.", None)
    scan = Scan("parquet", f"{FOLDER}/cars", [cut])
    rows = [replace(report.rows[1], detail="(f(a) = 1); (f(b) = 2)")]
    text = brief(Report(rows, [], scans=[scan]))
    assert "adaptivefilter: (f(a) = 1); (f(b) = 2) [Filter over cars]" in text
    assert "  f(…  spark" in text


def test_a_filter_of_other_predicates_names_them() -> None:
    report = files()
    report.scans[0].predicates.pop(1)
    assert "adaptivefilter: (NOT in_file(id, 'sold.csv' [_c0])); in_file(" in brief(report, 500)
    assert "  NOT in_file" in brief(report, 500)


def test_two_scans_of_one_file_keep_the_measurement_apart() -> None:
    report = join()
    report.scans.append(report.scans[0])
    assert "measured  DynamicScan: 0 of 8 files skipped" in brief(report)


@pytest.mark.parametrize("width", [30, 80, 200])
def test_the_text_keeps_to_the_width_and_loses_no_word(width: int) -> None:
    long = " ".join(f"word{n}" for n in range(60))
    rows = [verdict(1, "applied", "Rule", long, "place")]
    scan = Scan("parquet", "t", [ScanPredicate("p" * 40, ("spark",), "udf", long, None)])
    text = brief(Report(rows, [], scans=[scan]), width)
    assert text.count("word59") == 2
    assert all(len(line) <= max(width, 42) for line in text.splitlines())


def test_a_path_is_not_broken_at_its_hyphens() -> None:
    name = "a-file-with-many-hyphens-in-its-name.parquet"
    for width in range(40, 120):
        scan = Scan("parquet", f"{FOLDER}/{name}", [])
        assert name in brief(Report([], [], scans=[scan]), width)


def test_what_a_run_measured_is_a_row_of_its_own() -> None:
    rows = [verdict(1, "applied", "Rule", "a filter"), verdict(2, "declined", "Rule", "no filter")]
    rows.append(ReportRow(3, "setop", "Operator", "measured", None, "t.id", "7 of <9> rows kept"))
    report = Report(rows, [])
    assert [row.id for row in report.measured] == [3]
    assert [row.id for row in report.applied] == [1]
    assert [row.id for row in report.declined] == [2]
    assert report.summary == "Sieve: 1 applied, 1 declined."
    assert "measured  Operator: 7 of <9> rows kept" in str(report)
    assert report.to_dict()["rows"][2]["outcome"] == "measured"


def test_scans_are_plain_in_to_dict() -> None:
    plain = two_predicates().to_dict()
    assert json.loads(json.dumps(plain)) == plain
    (scan,) = plain["scans"]
    assert scan["rows_read"] == 1000
    assert scan["predicates"][1] == {
        "predicate": "f(<b>)",
        "layers": ["spark"],
        "reason": "udf",
        "detail": "It calls a function: f.",
        "remedy": "Do not.",
    }
