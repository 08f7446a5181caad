# SPDX-License-Identifier: Apache-2.0
"""The table in the terminal, with errors and unchanged plans below it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from sparksieve.demo import figures
from sparksieve.demo.runner import UNCHANGED, Outcome

SHARES = {"rows read": 7, "bytes read": 9, "plan": 10, "rows": 7}
"""The columns that fold anywhere, and how they share what the others leave of a narrow width."""

LEAST = 24
"""The least width of these together: where there is less, the terminal wraps the table's lines."""


def show(outcomes: Sequence[Outcome], console: Console) -> None:
    """Prints the table, folded to the width of the console; nothing in it is cut off."""
    rows = [tuple(_shown(cell, console) for cell in figures.cells(o)) for o in outcomes]
    console.print(_table(rows, console.width), crop=False)
    for line in _notes(outcomes):
        console.print(_shown(line, console), soft_wrap=True)


def _table(rows: Sequence[Sequence[str]], width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for i, header in enumerate(figures.HEADERS):
        right = i in figures.RIGHT
        table.add_column(header, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    texts = dict(zip(figures.HEADERS, zip(figures.HEADERS, *rows)))
    gaps = 2 * (len(texts) - 1)
    if gaps + sum(_longest(column) for column in texts.values()) > width:
        least = gaps + LEAST
        for column, header in zip(table.columns, texts):
            column.ratio = SHARES.get(header)
            if column.ratio is None:
                # Names and statuses break between words, times do not.
                whole = header in ("off", "on")
                column.width = _longest(texts[header] if whole else _words(texts[header]))
                least += column.width
        table.width = max(width, least)
        table.show_lines = True
    return table


def _longest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts))


def _words(texts: Iterable[str]) -> list[str]:
    return " ".join(texts).split()


def _notes(outcomes: Sequence[Outcome]) -> list[str]:
    lines = []
    for outcome in outcomes:
        if outcome.status == UNCHANGED and outcome.on:
            lines += ["", f"{outcome.case.name} is unchanged. Sieve's report:"]
            lines += [f"  {note}" for note in outcome.on.notes or ("no rule applies",)]
        if outcome.error:
            error = textwrap.shorten(outcome.error, 600, placeholder=" ...")
            lines += ["", f"{outcome.case.name} failed: {error}"]
    return lines


def _shown(text: str, console: Console) -> str:
    return text.replace("→", "->") if console.options.ascii_only else text
