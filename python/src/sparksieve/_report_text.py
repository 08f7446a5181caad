"""A report as text: a headline, the verdicts, and the scans; or, on request, all details."""

from __future__ import annotations

import re
import shutil
import textwrap
from typing import TYPE_CHECKING

from sparksieve._table import format_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sparksieve._report import Report, ReportRow
    from sparksieve._scans import Scan, ScanPredicate

_NOT_NULL = re.compile(r"\S+ IS NOT NULL")
_PREDICATE = re.compile(r"\d+\. ")
_OUTCOME = 10


def brief(report: Report, width: int | None = None) -> str:
    """The headline, one paragraph for each verdict and measurement, and the scans.

    `width` is the number of characters a line may have (default: the terminal's). Left out are
    predicates that Spark adds (`c IS NOT NULL`) and the figures of single predicates.
    """
    limit = width or shutil.get_terminal_size((120, 24)).columns
    parts = ["\n".join([headline(report), *_verdicts(report.rows, limit)])]
    parts += [_scan(number, scan, limit) for number, scan in enumerate(report.scans, 1)]
    parts += filter(None, [_legend(report.scans, limit)])
    return "\n\n".join(parts)


def headline(report: Report) -> str:
    """One line: what was applied and declined, and how many rows the scans read and kept."""
    ran = [
        (scan.rows_read, scan.rows_kept)
        for scan in report.scans
        if scan.rows_read is not None and scan.rows_kept is not None
    ]
    rows = f" {sum(r for r, _ in ran):,} rows read, {sum(k for _, k in ran):,} kept." if ran else ""
    return report.summary + rows


def _verdicts(rows: Sequence[ReportRow], width: int) -> list[str]:
    lines = []
    for row in rows:
        if row.outcome == "measured":
            if _PREDICATE.match(row.detail):
                continue
            text = f"{row.rule}: {row.detail}"
        else:
            why = f"{row.reason}: " if row.reason else ""
            text = f"{row.feature}: {why}{row.detail} [{row.place}]"
        lines.append(_hanging(row.outcome, text, _OUTCOME, width))
    return lines


def _scan(number: int, scan: Scan, width: int) -> str:
    name = scan.place.rstrip("/").rsplit("/", 1)[-1]
    run = f": {scan.run}" if scan.run else ""
    shown = _shown(scan)
    column = min(max((len(one.predicate) for one in shown), default=0), width // 2) + 4
    lines = [f"Scan {number}, {scan.source} {name}{run}"]
    for one in shown:
        text = ", ".join(one.layers)
        if one.reason:
            why = " ".join(filter(None, (one.detail, one.remedy)))
            text = f"{text} ({one.reason}): {why}"
        lines.append(_hanging(f"  {one.predicate}", text, column, width))
    return "\n".join(lines)


def _shown(scan: Scan) -> list[ScanPredicate]:
    written = [one for one in scan.predicates if not _NOT_NULL.fullmatch(one.predicate)]
    return written or scan.predicates


def _legend(scans: Iterable[Scan], width: int) -> str:
    meanings = {
        f"{', '.join(one.layers)}: {one.detail}": None
        for scan in scans
        for one in _shown(scan)
        if not one.reason
    }
    return "\n".join(textwrap.fill(text, width, subsequent_indent="  ") for text in meanings)


def _hanging(label: str, text: str, column: int, width: int) -> str:
    """`label`, and `text` from `column` on; the text begins on its own line below a long label."""
    indent = " " * column
    lines = textwrap.wrap(text, max(width - column, 20), break_long_words=False)
    first = f"{label:<{column}}" if len(label) < column else f"{label}\n{indent}"
    return first + f"\n{indent}".join(lines)


def detailed(report: Report) -> str:
    """Every row and predicate with all that is known of it, as tables."""
    return "\n\n".join([_rules(report), *_scan_tables(report.scans)])


def _rules(report: Report) -> str:
    if not report.rows:
        return report.summary
    cells = [
        (str(row.id), row.outcome, row.feature, row.rule, row.reason or "", row.place, row.detail)
        for row in report.rows
    ]
    headers = ("id", "outcome", "feature", "rule", "reason", "place", "detail")
    return f"{format_table(headers, cells)}\n{report.summary}"


def _scan_tables(scans: Sequence[Scan]) -> list[str]:
    tables = []
    for number, scan in enumerate(scans, 1):
        cells = [
            (
                one.predicate,
                ", ".join(one.layers),
                one.reason or "",
                " ".join(filter(None, (one.detail, one.remedy))),
            )
            for one in scan.predicates
        ]
        title = f"Scan {number}, {scan.source}: {scan.place}"
        table = format_table(("predicate", "layers", "reason", "detail"), cells)
        tables.append("\n".join(filter(None, (title, table, scan.run))))
    return tables
