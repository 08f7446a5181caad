# SPDX-License-Identifier: Apache-2.0
"""A report as HTML for notebooks: verdicts and remedies first, all details folded below."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sparksieve._html_style import style_sheet
from sparksieve._report.glance import glance, headline
from sparksieve._report.html_plans import plan_html
from sparksieve._table import without_empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sparksieve._report.file_names import FileNames
    from sparksieve._report.glance import ShownScan, Verdict
    from sparksieve._report.orders import OrderRow
    from sparksieve._report.report import Report

_LONG = ("predicate", "detail", "remedy", "place")
_CODE = ("predicate", "reason")


def report_html(report: Report) -> str:
    """The report as one HTML fragment, with every text escaped, and without scripts."""
    seen = glance(report)
    names = seen.names
    verdicts = [_verdict(verdict, names) for verdict in seen.verdicts]
    verdicts += _left_to_spark(seen.scans, names)
    parts = [f'<p class="sieve-headline"><b>{escape(headline(report))}</b></p>']
    if verdicts:
        parts.append(f'<ul class="sieve-verdicts">{"".join(verdicts)}</ul>')
    parts.extend(_scan(shown, names) for shown in seen.scans)
    parts.extend(plan_html(pair) for pair in report.plans if report.rows)
    parts.extend(_orders(report.orders, names))
    parts.extend(_rows(report, names))
    body = "".join(parts)
    return f'<div class="sparksieve-report"><style>{style_sheet()}</style>{body}</div>'


def _verdict(verdict: Verdict, names: FileNames) -> str:
    reason = f" <code>{escape(verdict.reason)}</code>:" if verdict.reason else ""
    place = f'<div class="sieve-faint">{_text(verdict.place, names)}</div>' if verdict.place else ""
    text = f"<b>{escape(verdict.label)}</b>:{reason} {_text(verdict.text, names)}"
    items = "".join(f"<li>{_code(one, names)}</li>" for one in verdict.predicates)
    predicates = f"<ol>{items}</ol>" if items else ""
    return _item(verdict.outcome, verdict.outcome, text + predicates + place)


def _item(outcome: str, shown: str, text: str) -> str:
    return f"<li>{_outcome(outcome, shown)}<div>{text}</div></li>"


def _outcome(outcome: str, shown: str) -> str:
    return f'<span class="sieve-outcome sieve-{escape(outcome)}">{escape(shown)}</span> '


def _left_to_spark(scans: Iterable[ShownScan], names: FileNames) -> list[str]:
    """Predicates that only Spark evaluates, with the reason and the remedy, which may be shared."""
    same: dict[tuple[str, str, str | None], list[str]] = {}
    for shown in scans:
        for one in shown.predicates:
            if one.reason:
                scan = f'<span class="sieve-faint">of scan {shown.number}</span>'
                text = f"<div>{_code(shown.text(one), names)} {scan}</div>"
                same.setdefault((one.reason, one.detail, one.remedy), []).append(text)
    return [
        _item(
            "declined",
            "only in Spark",
            f"{''.join(texts)}<code>{escape(reason)}</code>: {_text(detail, names)}"
            + (f"<div><b>Remedy</b>: {_text(remedy, names)}</div>" if remedy else ""),
        )
        for (reason, detail, remedy), texts in same.items()
    ]


def _scan(shown: ShownScan, names: FileNames) -> str:
    cells = [
        (
            str(shown.numbers.get(one.predicate, "")),
            shown.text(one),
            ", ".join(one.layers),
            one.reason or "",
            one.detail,
            one.remedy or "",
        )
        for one in shown.scan.predicates
    ]
    headers = ("no.", "predicate", "layers", "reason", "detail", "remedy")
    figures = f" &#8211; {escape('; '.join(shown.figures))}" if shown.figures else ""
    name = f"{escape(shown.scan.source)} <b>{_text(shown.scan.place, names)}</b>"
    return _folded(f"Scan {shown.number}, {name}{figures}", _table(headers, cells, names))


def _orders(orders: Sequence[OrderRow], names: FileNames) -> list[str]:
    """For each adaptive filter, its orders over time."""
    places = dict.fromkeys(order.place for order in orders)
    return [
        _orders_of(place, [one for one in orders if one.place == place], names) for place in places
    ]


def _orders_of(place: str, orders: Iterable[OrderRow], names: FileNames) -> str:
    cells = [
        (
            order.executor,
            f"{order.at_ms:,}",
            f"{order.written}. {order.predicate}",
            str(order.position),
            "" if order.pass_rate is None else f"{order.pass_rate:.1%}",
            "" if order.nanos is None else f"{order.nanos:,.0f}",
        )
        for order in orders
    ]
    headers = ("executor", "ms", "predicate", "position", "rows that pass", "ns each")
    return _folded(f"Orders over time: {_text(place, names)}", _table(headers, cells, names))


def _rows(report: Report, names: FileNames) -> list[str]:
    if not report.rows:
        return []
    cells = [
        (row.outcome, row.feature, row.rule, row.reason or "", row.place, row.detail)
        for row in report.rows
    ]
    headers = ("outcome", "feature", "rule", "reason", "place", "detail")
    return [_folded("All verdicts and measurements", _table(headers, cells, names))]


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>{content}</details>"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], names: FileNames) -> str:
    """A table without empty columns, in a box that scrolls if it is too wide."""
    shown, cells = without_empty(headers, rows)
    head = "".join(f"<th>{escape(header)}</th>" for header in shown)
    body = "".join(
        f"<tr>{''.join(_cell(header, text, names) for header, text in zip(shown, row))}</tr>"
        for row in cells
    )
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="sieve-scroll"><table class="sieve-table">{table}</table></div>'


def _cell(header: str, text: str, names: FileNames) -> str:
    if header == "outcome":
        return f"<td>{_outcome(text, text)}</td>"
    shown = _code(text, names) if header in _CODE and text else _text(text, names)
    return f'<td class="sieve-long">{shown}</td>' if header in _LONG else f"<td>{shown}</td>"


def _code(text: str, names: FileNames) -> str:
    return f"<code>{_text(text, names)}</code>"


def _text(text: str, names: FileNames) -> str:
    """Escaped text; files have their base names, and their paths as titles."""
    return "".join(
        escape(shown)
        if path is None
        else f'<span class="sieve-file" title="{escape(path)}">{escape(shown)}</span>'
        for shown, path in names.pieces(text)
    )
