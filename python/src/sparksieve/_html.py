"""A report as HTML for notebooks. All styles are inline, since notebooks drop style sheets."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from sparksieve._plans import without_numbers

if TYPE_CHECKING:
    from sparksieve._report import PlanPair, Report
    from sparksieve._scans import Scan

_CELL = "text-align:left;vertical-align:top;padding:2px 8px;white-space:normal"
_PRE = (
    "text-align:left;white-space:pre;overflow-x:auto;margin:0;padding:6px;"
    "border:1px solid #8886;font-size:85%"
)
_OUTCOME = {
    "applied": "color:#1a7f37;font-weight:600",
    "declined": "color:#9a6700",
    "measured": "color:#0969da",
}
_DEALT = _OUTCOME["applied"]
_LEFT = _OUTCOME["declined"]
# Half-transparent, so that they are readable in light and dark notebooks.
_REMOVED = "background:#ff818240"
_ADDED = "background:#4ac26b40"


def report_html(report: Report) -> str:
    """The report as one HTML fragment, with every text escaped."""
    parts = [f"<p><b>{escape(report.summary)}</b></p>"]
    if report.rows:
        parts.append(_rows(report))
    parts.extend(_scan(number, scan) for number, scan in enumerate(report.scans, 1))
    parts.extend(_plans(pair) for pair in report.plans)
    return f'<div class="sparksieve-report">{"".join(parts)}</div>'


def _rows(report: Report) -> str:
    head = _cells("th", ("outcome", "feature", "rule", "reason", "place", "detail"))
    body = []
    for row in report.rows:
        style = f"{_CELL};{_OUTCOME.get(row.outcome, '')}"
        rest = _cells("td", (row.feature, row.rule, row.reason or "", row.place, row.detail))
        body.append(f'<tr><td style="{style}">{escape(row.outcome)}</td>{rest}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _scan(number: int, scan: Scan) -> str:
    head = _cells("th", ("predicate", "layers", "reason", "detail", "remedy"))
    body = []
    for one in scan.predicates:
        # Predicates that only Spark evaluates stand out: readers look for them.
        style = f"{_CELL};{_LEFT if one.layers == ('spark',) else _DEALT}"
        rest = _cells("td", (one.reason or "", one.detail, one.remedy or ""))
        body.append(
            f'<tr><td style="{_CELL}"><code>{escape(one.predicate)}</code></td>'
            f'<td style="{style}">{escape(", ".join(one.layers))}</td>{rest}</tr>'
        )
    run = f" &#8211; {escape(scan.run)}" if scan.run else ""
    return (
        f"<p>Scan {number}, {escape(scan.source)}: <b>{escape(scan.place)}</b>{run}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def _cells(tag: str, texts: Iterable[str]) -> str:
    return "".join(f'<{tag} style="{_CELL}">{escape(text)}</{tag}>' for text in texts)


def _plans(pair: PlanPair) -> str:
    before, after = _marked(pair.before.splitlines(), pair.after.splitlines())
    note = "" if pair.changed else " (unchanged)"
    # Changed plans are shown open, unchanged plans are folded.
    opened = " open" if pair.changed else ""
    columns = "".join(
        f'<td style="vertical-align:top;width:50%;max-width:0;padding:4px"><b>{title}</b>'
        f'<div style="{_PRE}">{text}</div></td>'
        for title, text in (("without Sieve", before), ("with Sieve", after))
    )
    return (
        f"<details{opened}><summary>{escape(pair.stage)} plan{note}</summary>"
        f'<table style="width:100%;table-layout:fixed"><tr>{columns}</tr></table></details>'
    )


def _marked(before: list[str], after: list[str]) -> tuple[str, str]:
    """Escapes both texts and marks the lines that the other text lacks."""
    left: list[str] = []
    right: list[str] = []
    left_keys, right_keys = map(without_numbers, before), map(without_numbers, after)
    matcher = difflib.SequenceMatcher(None, list(left_keys), list(right_keys), autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        same = tag == "equal"
        left.extend(_line(line, "" if same else _REMOVED) for line in before[a1:a2])
        right.extend(_line(line, "" if same else _ADDED) for line in after[b1:b2])
    return "\n".join(left), "\n".join(right)


def _line(text: str, style: str) -> str:
    return f'<span style="{style}">{escape(text)}</span>' if style else escape(text)
