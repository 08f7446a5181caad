# SPDX-License-Identifier: Apache-2.0
"""A report in full: every row and predicate with every figure, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve._table import format_table, without_empty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sparksieve._report.report import Report
    from sparksieve._report.scans import Scan


def detailed(report: Report) -> str:
    """Every row and predicate of a report, unabridged, as tables."""
    return "\n\n".join([_rules(report), *_scan_tables(report.scans)])


def _rules(report: Report) -> str:
    if not report.rows:
        return report.summary
    cells = [
        (str(row.id), row.outcome, row.feature, row.rule, row.reason or "", row.place, row.detail)
        for row in report.rows
    ]
    headers = ("id", "outcome", "feature", "rule", "reason", "place", "detail")
    return f"{format_table(*without_empty(headers, cells))}\n{report.summary}"


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
        headers = ("predicate", "layers", "reason", "detail")
        table = format_table(*without_empty(headers, cells))
        tables.append("\n".join(filter(None, (title, table, scan.run))))
    return tables
