# SPDX-License-Identifier: Apache-2.0
"""The picture of advice: the ranges of a column in the files of a table, today and after."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sparksieve._advise.types import FileRange, Picture

_WIDTH = 300
_HEIGHT = 160
_GAP = 40
_TOP = 22
_BOTTOM = 20


def picture_svg(picture: Picture) -> str:
    """An SVG with two panels; its colours are those of the style sheet of reports.

    Each panel has one line for each file, from the file's minimum to its maximum; files are ordered
    by their minimum. Its text says the same for readers who do not see it.
    """
    column = _short(picture.column, 20)
    panels = [
        _panel(f"{column} today", picture.today, 0, "measured"),
        _panel(f"{column} after", picture.after, _WIDTH + _GAP, "applied"),
    ]
    width, height = 2 * _WIDTH + _GAP, _TOP + _HEIGHT + _BOTTOM
    title = (
        f"{picture.column} in files: a file covers {_mean(picture.today)} of its values today, "
        f"and {_mean(picture.after)} after"
    )
    ends = [
        _text(x + shift, _TOP + _HEIGHT + 14, _short(text, 25), anchor)
        for x in (0, _WIDTH + _GAP)
        for shift, text, anchor in ((0, picture.low, "start"), (_WIDTH, picture.high, "end"))
    ]
    return (
        f'<svg class="sieve-picture" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width: 100%; height: auto" '
        f'font-size="11" fill="currentColor"><title>{escape(title)}</title>'
        f"{''.join(panels)}{''.join(ends)}</svg>"
    )


def _panel(name: str, files: Sequence[FileRange], x: int, colour: str) -> str:
    ordered = sorted(files, key=lambda file: (file.start, file.end))
    step = _HEIGHT / max(len(ordered), 1)
    thick = max(0.5, min(4.0, step * 0.7))
    lines = [
        _line(x + file.start * _WIDTH, x + file.end * _WIDTH, _TOP + (i + 0.5) * step, file)
        for i, file in enumerate(ordered)
    ]
    frame = (
        f'<rect x="{x}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" '
        'stroke="var(--sieve-line)"/>'
    )
    title = _text(x, _TOP - 8, f"{name}: {len(ordered):,} files", "start")
    return (
        f'{title}{frame}<g stroke="var(--sieve-{colour})" stroke-width="{thick:.2f}">'
        f"{''.join(lines)}</g>"
    )


def _line(start: float, end: float, y: float, file: FileRange) -> str:
    # A file with one value is still seen.
    until = max(end, start + 1.5)
    text = escape(f"{file.min} to {file.max}")
    return (
        f'<line x1="{start:.1f}" x2="{until:.1f}" y1="{y:.1f}" y2="{y:.1f}">'
        f"<title>{text}</title></line>"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="var(--sieve-faint)">'
        f"{escape(text)}</text>"
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _mean(files: Sequence[FileRange]) -> str:
    if not files:
        return "nothing"
    return f"{100 * sum(file.end - file.start for file in files) / len(files):.0f} %"
