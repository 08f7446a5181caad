"""Figures as text, and the table in the terminal."""

from __future__ import annotations

from dataclasses import replace

from demo_samples import OFF, ON, outcome

from sparksieve.demo import table
from sparksieve.demo.runner import CHANGED, DIFFERENT, FAILED, UNCHANGED


def test_formats() -> None:
    assert [table.seconds(s) for s in (0.0421, 0.9994, 0.9996, 75.0)] == [
        "42 ms", "999 ms", "1.00 s", "75.00 s",
    ]  # fmt: skip
    assert [table.count(n) for n in (0, 9_999, 336_776, 2_694_208, 10_000_000, 3 * 10**9)] == [
        "0", "9,999", "337k", "2.69M", "10M", "3B",
    ]  # fmt: skip
    assert [table.size(n) for n in (0, 999, 1000, 40_000_000, 2**40)] == [
        "0 B", "999 B", "0.977 KiB", "38.1 MiB", "1 TiB",
    ]  # fmt: skip
    assert [table.ratio(r) for r in (0.5, 12.34, 123.4)] == ["0.5x", "12.3x", "123x"]
    assert table.moved("1", "1") == "1"
    assert table.moved("2", "1") == "2 → 1"


def test_columns_line_up() -> None:
    lines = table.terminal([outcome("a"), outcome("a-longer-name")], unicode=True).splitlines()
    assert len(lines) == 4
    header, _, short, long = lines
    for title in ("rows read", "bytes read", "plan"):
        column = header.index(title)
        assert short[column - 2 : column] == "  "
        assert short[column] != " "
        assert long[column - 2 : column] == "  "
        assert long[column] != " "
    end = header.index("ratio") + len("ratio")
    assert short[:end].endswith("4.0x")
    assert long[:end].endswith("4.0x")


def test_a_changed_case_tells_all_figures() -> None:
    text = table.terminal([outcome("a")], unicode=True)
    for part in ("400 ms", "100 ms", "4.0x", "2,000 → 1,000", "joins 1→0", "scans 2→1", "equal"):
        assert part in text


def test_the_plan_column_says_what_changed() -> None:
    adaptive, none = replace(ON.work, filters=("AdaptiveFilter",)), replace(ON.work, filters=())
    assert table.operators(OFF.work, ON.work) == "joins 1→0, scans 2→1, exchanges 2→1"
    assert table.operators(ON.work, adaptive) == "Filter→AdaptiveFilter"
    assert table.operators(ON.work, none) == "no Filter"
    assert table.operators(ON.work, ON.work) == "predicates in the scan"


def test_plain_consoles_get_plain_text() -> None:
    assert table.terminal([outcome("a")], unicode=False).isascii()


def test_an_unchanged_plan_is_no_success() -> None:
    same = outcome("a", UNCHANGED, notes=("SomeRule declined (some-reason): because",))
    text = table.terminal([same], unicode=True)
    assert "unchanged" in text
    assert "4.0x" not in text
    assert "SomeRule declined (some-reason): because" in text
    assert table.summary([same]).startswith("0 of 1 plans changed")


def test_different_rows_and_failures_stand_out() -> None:
    outcomes = [outcome("a"), outcome("b", DIFFERENT), outcome("c", FAILED, error="boom")]
    text = table.terminal(outcomes, unicode=True)
    assert "DIFFERENT (7 off, 8 on)" in text
    assert "c failed: boom" in text
    assert table.summary(outcomes) == "1 of 3 plans changed; different rows or failed: b, c."
    assert table.summary([outcome("a"), outcome("b", CHANGED)]).endswith("equal in every case.")
