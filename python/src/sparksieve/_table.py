# SPDX-License-Identifier: Apache-2.0
"""Plain-text tables for terminals."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence

_GAP = "  "
_MIN_COLUMN = 8


def format_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None
) -> str:
    """Aligns `rows` under `headers`; cells too wide for the terminal are wrapped.

    `width` is the number of characters a line may have (default: the terminal's). Only the widest
    columns shrink, so that short cells (an outcome, a number) stay on one line.
    """
    limit = width or shutil.get_terminal_size((120, 24)).columns
    widths = _fit([list(column) for column in zip(headers, *rows)], limit)
    lines = [_line(headers, widths), _line(["-" * size for size in widths], widths)]
    for row in rows:
        cells = [_wrap(cell, size) for cell, size in zip(row, widths)]
        for index in range(max(len(cell) for cell in cells)):
            lines.append(
                _line([cell[index] if index < len(cell) else "" for cell in cells], widths)
            )
    return "\n".join(lines)


def without_empty(
    headers: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """The headers and rows without the columns that are empty in each row."""
    kept = [index for index in range(len(headers)) if any(row[index] for row in rows)]
    return [headers[index] for index in kept], [[row[index] for index in kept] for row in rows]


def _fit(columns: list[list[str]], limit: int) -> list[int]:
    widths = [
        max((len(line) for cell in column for line in cell.splitlines()), default=0)
        for column in columns
    ]
    room = limit - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _MIN_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _wrap(cell: str, size: int) -> list[str]:
    lines: list[str] = []
    for line in cell.splitlines() or [""]:
        lines.extend(textwrap.wrap(line, max(size, 1)) or [""])
    return lines


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _GAP.join(cell.ljust(size) for cell, size in zip(cells, widths)).rstrip()
