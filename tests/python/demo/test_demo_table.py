# SPDX-License-Identifier: Apache-2.0
"""Figures as text, and the table in the terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from demo_samples import OFF, ON, Terminal, outcome

from sparksieve.demo import figures, table
from sparksieve.demo.console import console
from sparksieve.demo.runner import CHANGED, DIFFERENT, FAILED, UNCHANGED, Outcome

LONG = [
    outcome("order-server-load"),
    outcome("except-counting", UNCHANGED),
    outcome("except-renamed", DIFFERENT),
    outcome("[red]x[/red] :smile: array[0]", FAILED, error="[bold]boom[/] array[0] :smile: 1"),
]


def text(*outcomes: Outcome) -> str:
    """What is printed where there is no terminal."""
    stream = io.StringIO()
    table.show(outcomes, console(stream))
    return stream.getvalue()


def plain(stream: Terminal) -> str:
    """What a terminal shows, without bold letters."""
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())


def test_formats() -> None:
    assert [figures.seconds(s) for s in (0.0421, 0.9994, 0.9996, 75.0)] == [
        "42 ms", "999 ms", "1.00 s", "75.00 s",
    ]  # fmt: skip
    assert [figures.count(n) for n in (0, 9_999, 336_776, 2_694_208, 10_000_000, 3 * 10**9)] == [
        "0", "9,999", "337k", "2.69M", "10M", "3B",
    ]  # fmt: skip
    assert [figures.size(n) for n in (0, 999, 1000, 40_000_000, 2**40)] == [
        "0 B", "999 B", "0.977 KiB", "38.1 MiB", "1 TiB",
    ]  # fmt: skip
    assert [figures.ratio(r) for r in (0.5, 12.34, 123.4)] == ["0.5x", "12.3x", "123x"]
    assert figures.moved("1", "1") == "1"
    assert figures.moved("2", "1") == "2 → 1"


def test_columns_line_up() -> None:
    lines = text(outcome("a"), outcome("a-longer-name")).splitlines()
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


def test_a_file_gets_whole_lines_without_control_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = text(outcome("a"), outcome("b", FAILED, error="boom " * 50))
    assert "\x1b" not in shown
    assert re.search(
        r"^a +400 ms +100 ms +4.0x +2,000 → 1,000 +9.54 MiB → 4.77 MiB +"
        r"joins 1→0, scans 2→1, exchanges 2→1 +equal \(7\) *$",
        shown,
        re.MULTILINE,
    )
    assert f"b failed: {' '.join(['boom'] * 50)}\n" in shown


def test_a_wide_terminal_shows_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    stream = Terminal()
    table.show(LONG, console(stream))
    assert plain(stream) == text(*LONG)


@pytest.mark.parametrize("columns", [20, 80, 100, 160, 200])
def test_a_narrow_terminal_loses_nothing(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    # The table of an ASCII terminal has lines between its cells.
    stream = Terminal("ascii")
    table.show(LONG, console(stream))
    lines = plain(stream).split("\n\n")[0].splitlines()
    assert columns < 80 or all(len(line) <= columns for line in lines)
    # Only rows that are folded have lines between them.
    whole = sum(line.startswith("-") for line in lines) == 1
    assert whole == (columns == 200)
    rows, folded = [], [""] * len(figures.HEADERS)
    for line in [*lines, "-"]:
        if whole or line.startswith("-"):
            rows.append(folded)
            folded = [""] * len(figures.HEADERS)
        if not line.startswith("-"):
            cells = line.split("|")
            folded = [text + re.sub(r"\s", "", cell) for text, cell in zip(folded, cells)]
    wanted = [figures.HEADERS, *map(figures.cells, LONG)]
    assert [row for row in rows if any(row)] == [
        [cell.replace(" ", "").replace("→", "->") for cell in row] for row in wanted
    ]


def test_names_and_times_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    stream = Terminal()
    table.show(LONG, console(stream))
    for part in ("order-server-load  400 ms  100 ms", "except-renamed", "unchanged", "different"):
        assert part in plain(stream)


def test_texts_are_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = "SomeRule declined (array[0]): [/red] :smile: [link=x]"
    for columns in ("80", "160"):
        monkeypatch.setenv("COLUMNS", columns)
        stream = Terminal()
        table.show([*LONG, outcome("b", UNCHANGED, notes=(shown,))], console(stream))
        for part in ("[red]x[/red]", ":smile:", "array[0]", f"  {shown}\n"):
            assert part in stream.getvalue()
        assert "failed: [bold]boom[/] array[0] :smile: 1\n" in stream.getvalue()


def test_a_changed_case_tells_all_figures() -> None:
    shown = text(outcome("a"))
    for part in ("400 ms", "100 ms", "4.0x", "2,000 → 1,000", "joins 1→0", "scans 2→1", "equal"):
        assert part in shown


def test_the_plan_column_says_what_changed() -> None:
    adaptive, none = replace(ON.work, filters=("AdaptiveFilter",)), replace(ON.work, filters=())
    assert figures.operators(OFF.work, ON.work) == "joins 1→0, scans 2→1, exchanges 2→1"
    assert figures.operators(ON.work, adaptive) == "Filter→AdaptiveFilter"
    assert figures.operators(ON.work, none) == "no Filter"
    assert figures.operators(ON.work, ON.work) == "predicates in the scan"
    made = outcome("a")
    named = replace(made, case=replace(made.case, change="files sorted by k"))
    assert "files sorted by k" in figures.cells(named)
    assert "files sorted by k" not in figures.cells(replace(named, status=UNCHANGED))


def test_plain_consoles_get_plain_text() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    table.show([outcome("a"), outcome("b", UNCHANGED, notes=("1 → 0",))], console(stream))
    stream.seek(0)
    shown = stream.read()
    assert "2,000 -> 1,000" in shown
    assert "joins 1->0" in shown
    assert "  1 -> 0\n" in shown


def test_an_unchanged_plan_is_no_success() -> None:
    same = outcome("a", UNCHANGED, notes=("SomeRule declined (some-reason): because",))
    shown = text(same)
    assert "unchanged" in shown
    assert "4.0x" not in shown
    assert "SomeRule declined (some-reason): because" in shown
    assert figures.summary([same]).startswith("0 of 1 plans changed")


def test_different_rows_and_failures_stand_out() -> None:
    outcomes = [outcome("a"), outcome("b", DIFFERENT), outcome("c", FAILED, error="boom")]
    shown = text(*outcomes)
    assert "DIFFERENT (7 off, 8 on)" in shown
    assert "c failed: boom" in shown
    assert figures.summary(outcomes) == "1 of 3 plans changed; different rows or failed: b, c."
    assert figures.summary([outcome("a"), outcome("b", CHANGED)]).endswith("equal in every case.")
