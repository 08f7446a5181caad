# SPDX-License-Identifier: Apache-2.0
"""Advice as text: for each table what is read today, the best layout, and its statement."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from sparksieve._numbers import counted
from sparksieve._table import format_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sparksieve._advise.advice import Advice
    from sparksieve._advise.types import FileRange, LayoutAdvice, Picture, TableAdvice

_SHOWN_LAYOUTS = 5
_SHOWN_FILES = 8
_SHOWN_QUERIES = 5
_BAR = 28


def advice_text(advice: Advice, width: int | None = None) -> str:
    """The advice for a terminal; `width` is the length of a line (default: the terminal's)."""
    limit = width or shutil.get_terminal_size((120, 24)).columns
    parts = [headline(advice)]
    parts += [_table(table, advice, limit) for table in advice.tables]
    return "\n\n".join(parts)


def headline(advice: Advice) -> str:
    """One line: for how many tables a better layout was found."""
    if not advice.tables:
        what = "queries ran" if advice.scope == "session" else "table is read"
        return f"Sieve: no advice, because no {what} that can be examined."
    better = len(advice.rewrites)
    tables = counted(len(advice.tables), "table")
    time = "" if advice.seconds is None else f", whose runs took {advice.seconds:,.1f} s"
    queries = len(advice.queries)
    of = f"{queries} {'query' if queries == 1 else 'queries'}{time}"
    return f"Sieve: a better layout for {better} of {tables}; {of}."


def percent(share: float) -> str:
    """A share from 0 to 1 in percent."""
    return f"{share * 100:.1f} %"


def size(count: int) -> str:
    """A number of bytes in decimal units."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:,.0f} {unit}" if unit == "B" else f"{amount:,.1f} {unit}"
        amount /= 1000
    return f"{amount:,.1f} TB"


def figures(layouts: Sequence[LayoutAdvice]) -> tuple[list[str], list[list[str]]]:
    """The headers and cells of a table of layouts."""
    headers = ["layout", "files read", "row groups", "bytes", "gain", "to rewrite"]
    cells = [
        [
            layout.text,
            percent(layout.read.files),
            percent(layout.read.row_groups),
            percent(layout.read.bytes),
            f"{layout.gain * 100:+.1f} ± {layout.uncertainty * 100:.1f} points",
            size(layout.bytes_to_rewrite),
        ]
        for layout in layouts
    ]
    return headers, cells


def _table(table: TableAdvice, advice: Advice, width: int) -> str:
    label = {"rewrite": "rewrite", "good": "good", "declined": "no advice"}[table.outcome]
    lines = [f"{table.table} ({table.format}): {label}"]
    lines += _wrap(table.reason, width)
    if table.size and table.today:
        lines.append(
            f"  today: {table.size.files:,} files, {table.size.row_groups:,} row groups, "
            f"{size(table.size.bytes)}; read: {percent(table.today.files)} of the files, "
            f"{percent(table.today.row_groups)} of the row groups, "
            f"{percent(table.today.bytes)} of the bytes"
        )
    lines += _queries(table, advice, width)
    if table.layouts:
        headers, cells = figures(table.layouts[:_SHOWN_LAYOUTS])
        table_text = format_table(headers, cells, width - 2)
        lines += ["  " + line for line in table_text.splitlines()]
    if table.best and table.picture:
        lines += _picture(table.picture)
    if table.best:
        lines.append(f"  To write it ({table.best.language}; Sieve does not run it):")
        lines += ["    " + line for line in table.best.statement.splitlines()]
    for note in table.notes:
        lines += _wrap(f"Note: {note}", width)
    return "\n".join(lines)


def _queries(table: TableAdvice, advice: Advice, width: int) -> list[str]:
    if advice.scope != "session":
        return []
    texts = {query.id: query.text for query in advice.queries}
    ranked = sorted(table.queries, key=lambda read: -read.weight)[:_SHOWN_QUERIES]
    lines: list[str] = []
    for read in ranked:
        text = f"{percent(read.weight)} of the time: {texts.get(read.query, '')}"
        lines += _wrap(text, width)
    return lines


def _picture(picture: Picture) -> list[str]:
    """A bar for each of some files, today on the left and after on the right."""
    left, right = _bars(picture.today), _bars(picture.after)
    title = f"  {picture.column} in files, from {picture.low} to {picture.high}"
    rows = [
        f"    {a:<{_BAR}}  |  {b}".rstrip()
        for a, b in zip(
            ["today", *left, *[""] * (len(right) - len(left))],
            ["after", *right, *[""] * (len(left) - len(right))],
        )
    ]
    return [title, *rows]


def _bars(files: Sequence[FileRange]) -> list[str]:
    count = min(len(files), _SHOWN_FILES)
    shown = [files[i * len(files) // count] for i in range(count)]
    return [_bar(file) for file in shown]


def _bar(file: FileRange) -> str:
    start = min(int(file.start * _BAR), _BAR - 1)
    end = max(start + 1, round(file.end * _BAR))
    return " " * start + "─" * (end - start)


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 40),
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
