# SPDX-License-Identifier: Apache-2.0
"""A report as text: a headline, the verdicts, and the scans with their predicates."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from sparksieve._report.glance import glance, headline

if TYPE_CHECKING:
    from sparksieve._report.file_names import FileNames
    from sparksieve._report.glance import ShownScan, Verdict
    from sparksieve._report.report import Report
    from sparksieve._report.scans import ScanPredicate

_OUTCOME = 10
_GAP = "  "


def brief(report: Report, width: int | None = None) -> str:
    """The headline, one paragraph for each verdict and measurement, and the scans.

    `width` is the number of characters a line may have (default: the terminal's). Each fact and
    each explanation appears once, and files have their base names.
    """
    limit = width or shutil.get_terminal_size((120, 24)).columns
    seen = glance(report)
    verdicts = [_verdict(verdict, seen.names, limit) for verdict in seen.verdicts]
    explained: set[str] = set()
    scans = [_scan(shown, seen.names, explained, limit) for shown in seen.scans]
    return "\n\n".join(filter(None, ("\n".join([headline(report), *verdicts]), "\n".join(scans))))


def _verdict(verdict: Verdict, names: FileNames, width: int) -> str:
    why = f"{verdict.reason}: " if verdict.reason else ""
    place = f" [{verdict.place}]" if verdict.place else ""
    text = names.short(f"{verdict.label}: {why}{verdict.text}{place}")
    return _hanging(verdict.outcome, text, _OUTCOME, width)


def _scan(shown: ShownScan, names: FileNames, explained: set[str], width: int) -> str:
    name = names.short(shown.scan.place)
    figures = f": {'; '.join(shown.figures)}" if shown.figures else ""
    title = f"Scan {shown.number}, {shown.scan.source} {name}{figures}"
    labels = [_GAP + _label(shown, one, names) for one in shown.predicates]
    short = [len(label) for label in labels if len(label) <= width // 2]
    column = max(short, default=4) + len(_GAP)
    lines = [_fill(title, width, "    ")]
    for label, one in zip(labels, shown.predicates):
        lines.append(_hanging(label, names.short(_handled(one, explained)), column, width))
    return "\n".join(lines)


def _label(shown: ShownScan, one: ScanPredicate, names: FileNames) -> str:
    """The predicate, after its number if the scan's filter orders its predicates."""
    text = names.short(shown.text(one))
    if not shown.numbers:
        return text
    number = shown.numbers.get(one.predicate)
    return f"{number}. {text}" if number else f"   {text}"


def _handled(one: ScanPredicate, explained: set[str]) -> str:
    """The layers and, where they appear first, their explanation or the reason and remedy."""
    layers = ", ".join(one.layers)
    if one.reason:
        layers = f"{layers} ({one.reason})"
        text = " ".join(filter(None, (one.detail, one.remedy)))
    else:
        text = explanation(one)
    if not text or f"{layers}: {text}" in explained:
        return layers
    explained.add(f"{layers}: {text}")
    return f"{layers}: {text}"


def explanation(one: ScanPredicate) -> str:
    """What the layers below Spark do; that Spark evaluates a predicate is said by its name."""
    last_is_spark = one.layers[-1] == "spark"
    return (one.detail.rpartition("; ")[0] if last_is_spark else one.detail).rstrip(".")


def _hanging(label: str, text: str, column: int, width: int) -> str:
    """`label`, and `text` from `column` on; below a label that leaves no space for it."""
    if len(label) < column:
        first, lines = f"{label:<{column}}", _wrap(text, width - column)
    elif len(label) + len(_GAP) + len(text) <= width:
        first, lines = label + _GAP, [text]
    else:
        first, lines = (
            f"{_fill(label, width, ' ' * 6)}\n{' ' * column}",
            _wrap(text, width - column),
        )
    return first + f"\n{' ' * column}".join(lines)


def _wrap(text: str, width: int) -> list[str]:
    # A path or a number with a hyphen stays whole.
    return textwrap.wrap(text, max(width, 20), break_long_words=False, break_on_hyphens=False)


def _fill(text: str, width: int, indent: str) -> str:
    return textwrap.fill(
        text,
        max(width, 20),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
