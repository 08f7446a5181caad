# SPDX-License-Identifier: Apache-2.0
"""Advice as HTML for notebooks: the picture and the statement first, all figures folded below."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sparksieve._advise.picture import picture_svg
from sparksieve._advise.text import figures, headline, percent, size
from sparksieve._html_style import style_sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sparksieve._advise.advice import Advice
    from sparksieve._advise.types import TableAdvice

_LABELS = {
    "rewrite": ("applied", "rewrite"),
    "good": ("measured", "good"),
    "declined": ("declined", "no advice"),
}


def advice_html(advice: Advice) -> str:
    """The advice as one HTML fragment, with every text escaped, and without scripts."""
    texts = {query.id: query.text for query in advice.queries}
    parts = [f'<p class="sieve-headline"><b>{escape(headline(advice))}</b></p>']
    items = [_table(table, texts) for table in advice.tables]
    if items:
        parts.append(f'<ul class="sieve-verdicts">{"".join(items)}</ul>')
    return f'<div class="sparksieve-report"><style>{style_sheet()}</style>{"".join(parts)}</div>'


def _table(table: TableAdvice, texts: dict[int, str]) -> str:
    style, label = _LABELS[table.outcome]
    parts = [
        f"<div><b>{escape(table.table)}</b> ({escape(table.format)})</div>",
        f"<div>{escape(table.reason)}</div>",
    ]
    if table.size and table.today:
        today = (
            f"today {table.size.files:,} files, {table.size.row_groups:,} row groups, "
            f"{size(table.size.bytes)}; read: {percent(table.today.files)} of the files, "
            f"{percent(table.today.row_groups)} of the row groups"
        )
        parts.append(f'<div class="sieve-faint">{escape(today)}</div>')
    if table.best:
        if table.picture:
            parts.append(picture_svg(table.picture))
        note = f"to write it ({table.best.language}; Sieve does not run it):"
        parts.append(f'<div class="sieve-faint">{escape(note)}</div>')
        statement = f"<div>{escape(table.best.statement)}</div>"
        parts.append(f'<div class="sieve-plan sieve-scroll">{statement}</div>')
    parts += [f'<div class="sieve-faint">{escape(note)}</div>' for note in table.notes]
    if table.layouts:
        parts.append(_folded("Layouts", *figures(table.layouts)))
    if table.queries:
        headers = ["share of the time", "query", "skips by", "cannot skip by", "bytes read"]
        cells = [
            [
                percent(read.weight),
                texts.get(read.query, ""),
                ", ".join([*read.predicates, *read.keys]),
                ", ".join(read.unused),
                percent(read.today.bytes),
            ]
            for read in table.queries
        ]
        parts.append(_folded("Queries", headers, cells))
    shown = f'<span class="sieve-outcome sieve-{style}">{label}</span> '
    return f"<li>{shown}<div>{''.join(parts)}</div></li>"


def _folded(summary: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return (
        f"<details><summary>{escape(summary)}</summary>"
        f'<div class="sieve-scroll"><table class="sieve-table">{table}</table></div></details>'
    )
