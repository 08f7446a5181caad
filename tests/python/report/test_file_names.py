# SPDX-License-Identifier: Apache-2.0
"""Short names of files in the texts of reports. No JVM is started here."""

from __future__ import annotations

from sparksieve import Report, ReportRow, Scan, ScanPredicate
from sparksieve._report.file_names import FileNames


def names(*places: str, predicate: str = "a > 1", rows: tuple[ReportRow, ...] = ()) -> FileNames:
    one = ScanPredicate(predicate, ("spark",), None, "rows.", None)
    return FileNames(Report(list(rows), [], scans=[Scan("csv", place, [one]) for place in places]))


def test_a_file_has_its_base_name_in_each_text() -> None:
    found = names("file:/data/x/cars.csv/", "s3a://bucket/people")
    assert found.short("Filter over file:/data/x/cars.csv") == "Filter over cars.csv"
    assert found.short("a of /data/x/cars.csv, s3a://bucket/people") == "a of cars.csv, people"


def test_files_of_one_name_are_told_apart() -> None:
    found = names("file:/a/x/t", "file:/b/x/t", "file:/b/u")
    assert found.short("file:/a/x/t file:/b/x/t file:/b/u") == "a/x/t b/x/t u"


def test_a_longer_name_is_another_file() -> None:
    found = names("/data/t")
    for other in ("/data/t2", "/data/t/u", "/data/t.csv", "/data/t-old", "/more/data/t"):
        assert found.short(other) == other
    assert found.short("from /data/t.") == "from t."


def test_a_constant_with_a_slash_is_no_path() -> None:
    found = names("file:/data/t", predicate="url = '/index/home'")
    assert found.short("url = '/index/home'") == "url = '/index/home'"
    assert names("db.t").short("1 / 2, a/b") == "1 / 2, a/b"


def test_names_with_blanks_and_signs() -> None:
    found = names("file:/data/odd <b> & (name)")
    assert found.short("Filter over file:/data/odd <b> & (name)") == "Filter over odd <b> & (name)"


def test_several_folders_of_one_scan() -> None:
    assert names("file:/a/x, file:/a/y").short("file:/a/x, file:/a/y") == "x, y"


def test_the_files_of_bulk_filters() -> None:
    predicate = "in_file(id, '/data/my files/sold.csv' [_c0])"
    found = names("t", predicate=predicate)
    assert found.short(predicate) == "in_file(id, 'sold.csv' [_c0])"
    detail = "not A, 0.1 points; where A = id in /data/x/a.csv[_c0]; B = b in hdfs://n/b.csv[c]"
    place = "/data/x/c.csv[_c0]"
    rows = (
        ReportRow(1, "bulkfilter", "R", "applied", None, "Filter", detail),
        ReportRow(2, "bulkfilter", "R", "measured", None, place, "3 values"),
    )
    found = names("t", rows=rows)
    assert found.short(detail).endswith("where A = id in a.csv[_c0]; B = b in b.csv[c]")
    assert found.short(place) == "c.csv[_c0]"


def test_half_a_path_is_left_out() -> None:
    text = "in_file(a, '/data/a.csv' [_c0]) OR in_file(id, '/data/of/the/dep…"
    found = names("t", predicate=text)
    assert found.short(text) == "in_file(a, 'a.csv' [_c0]) OR in_file(id, '…"


def test_the_pieces_have_the_whole_path() -> None:
    pieces = list(names("file:/data/t").pieces("over file:/data/t now"))
    assert pieces == [("over ", None), ("t", "file:/data/t"), (" now", None)]
    assert list(names("db.t").pieces("over db.t")) == [("over db.t", None)]
