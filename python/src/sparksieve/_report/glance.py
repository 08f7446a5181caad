# SPDX-License-Identifier: Apache-2.0
"""What a report shows at a glance, as text and as HTML: verdicts, and scans with figures.

Each fact appears once. All rows as they are remain in `Report.rows`, and in the report's details.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sparksieve._report.file_names import FileNames
from sparksieve._report.scans import read_and_kept

if TYPE_CHECKING:
    from sparksieve._report.report import Report, ReportRow
    from sparksieve._report.scans import Scan, ScanPredicate

_ORDER = {"applied": 0, "declined": 1}
_COLUMNS = 3
"""A verdict names at most this many of an operator's columns."""

_NOT_NULL = re.compile(r"\S+ IS NOT NULL")
_OF_ONE_PREDICATE = re.compile(r"\d+\. |.* evaluates part \d+: ", re.DOTALL)
_COLUMN_LIST = re.compile(r"\(([^()]+)\)(?= from )")
# A text in quotes, or the names before a column's.
_QUALIFIER = re.compile(r"""('(?:[^'\\]|\\.)*')|(?<![\w.])(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_`])""")
_STAYS = re.compile(r" \((may fail|may be slow): [^()]*\)$")
_SAME_ORDER = re.compile(r"as given to the optimizer: (.*?); as it runs: \1(?=;|$)", re.DOTALL)
# The number of values stays; of NULLs only what is not zero is worth a glance.
_VALUES = re.compile(r"\(([\d,]+ values?) \([^()]*\) of [\d,]+ rows? in [\d,]+ ms; 0 NULLs\)")


@dataclass(frozen=True)
class Verdict:
    """What a feature did, or what an operator measured (`label` is its name).

    `predicates` are those that `text` calls by their numbers, 1 and so on.
    """

    outcome: str
    label: str
    reason: str | None
    text: str
    place: str
    predicates: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownScan:
    """A scan, its figures from the last run, and the predicates that the query has.

    `numbers` are those by which a verdict about the scan's filter calls the predicates, and `whole`
    the texts of those that a scan may cut short.
    """

    number: int
    scan: Scan
    figures: list[str]
    predicates: list[ScanPredicate]
    numbers: dict[str, int] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)

    def text(self, one: ScanPredicate) -> str:
        """The predicate, as much of it as is known."""
        return self.whole.get(one.predicate, one.predicate)


@dataclass(frozen=True)
class Glance:
    """The verdicts (applied, declined, measured) and the scans of a report."""

    names: FileNames
    verdicts: list[Verdict]
    scans: list[ShownScan]


def glance(report: Report) -> Glance:
    """Selects what a report shows at a glance."""
    scans = [_shown(number, scan) for number, scan in enumerate(report.scans, 1)]
    rows = [row for row in report.rows if not _is_detail(row, report) and not _taken(row, scans)]
    rows.sort(key=lambda row: _ORDER.get(row.outcome, len(_ORDER)))
    of_rows = [_verdict(row) for row in rows]
    rules: dict[Verdict, list[str]] = {}
    for verdict, row in zip(of_rows, rows):
        rules.setdefault(verdict, []).append(row.rule)
    verdicts: dict[Verdict, None] = {}
    for verdict, row in zip(of_rows, rows):
        same = rules[verdict]
        if len(same) > 1:
            kind = "places" if len(set(same)) < len(same) else "rules"
            verdict = replace(verdict, label=f"{verdict.label} ({len(same)} {kind})")
        verdicts[_about_scan(_second_rule(verdict, row, rows), row, scans)] = None
    return Glance(FileNames(report), list(verdicts), scans)


def headline(report: Report) -> str:
    """One line: what was applied and declined, and how many rows the scans read and kept."""
    ran = [
        (scan.rows_read, scan.rows_kept)
        for scan in report.scans
        if scan.rows_read is not None and scan.rows_kept is not None
    ]
    if not ran:
        return report.summary
    rows = read_and_kept(sum(read for read, _ in ran), sum(kept for _, kept in ran))
    return f"{report.summary} {rows}."


def _shown(number: int, scan: Scan) -> ShownScan:
    written = [one for one in scan.predicates if not _NOT_NULL.fullmatch(one.predicate)]
    return ShownScan(number, scan, [scan.run] if scan.run else [], written or scan.predicates)


def _is_detail(row: ReportRow, report: Report) -> bool:
    """Whether a row has figures of one predicate, or what a verdict says already."""
    said = f"{row.place} ({row.detail})"
    return row.outcome == "measured" and (
        bool(_OF_ONE_PREDICATE.match(row.detail))
        or any(said in other.detail for other in report.applied)
    )


def _taken(row: ReportRow, scans: list[ShownScan]) -> bool:
    """Moves a scan's own measurement to the scan."""
    own = [shown for shown in scans if row.place.endswith(f" of {shown.scan.place}")]
    if row.outcome != "measured" or len(own) != 1:
        return False
    own[0].figures.append(row.detail)
    return True


def _verdict(row: ReportRow) -> Verdict:
    measured = row.outcome == "measured"
    text = _SAME_ORDER.sub(r"in the order as given: \1", _VALUES.sub(r"(\1)", row.detail))
    place = "" if measured else _COLUMN_LIST.sub(_first_columns, row.place)
    return Verdict(row.outcome, row.rule if measured else row.feature, row.reason, text, place)


def _first_columns(found: re.Match[str]) -> str:
    columns = found.group(1).split(", ")
    return found.group() if len(columns) <= _COLUMNS else f"({', '.join(columns[:_COLUMNS])}, …)"


def _second_rule(verdict: Verdict, row: ReportRow, rows: list[ReportRow]) -> Verdict:
    """Of a place that one rule declined and another rewrote, the first verdict is no obstacle."""
    rewrote = any(
        (other.outcome, other.feature, other.place) == ("applied", row.feature, row.place)
        and other.rule != row.rule
        for other in rows
    )
    if row.outcome != "declined" or not rewrote:
        return verdict
    return replace(verdict, place="same place, which another rule rewrote")


def _about_scan(verdict: Verdict, row: ReportRow, scans: list[ShownScan]) -> Verdict:
    """A verdict on a scan's filter refers to the scan's predicates instead of repeating them."""
    own = [shown for shown in scans if row.place == f"Filter over {shown.scan.place}"]
    if row.feature != "adaptivefilter" or row.outcome == "measured" or len(own) != 1:
        return verdict
    shown = own[0]
    whole: dict[str, str] = {}
    notes = []
    for number, part in enumerate(row.detail.split("; "), 1):
        stays = _STAYS.search(part)
        text = part[: stays.start()] if stays else part
        found = next((one for one in shown.predicates if _whole(one, text)), None)
        if found is None or found.predicate in whole:
            return verdict
        whole[found.predicate] = _whole(found, text) or text
        if stays:
            notes.append(f"; predicate {number} {stays[1]}, so it stays after those before it")
    shown.whole.update(whole)
    shown.numbers.update((one, number) for number, one in enumerate(whole, 1))
    last = len(whole)
    some = {1: "predicate 1", 2: "predicates 1 and 2"}.get(last, f"predicates 1 to {last}")
    which = f"{some} of scan {shown.number}"
    if row.outcome == "applied":
        said = f"evaluates {which} in the cheapest order"
    else:
        said = f"{which} keep the order in which they are written"
    return replace(verdict, text=said + "".join(notes), place="", predicates=tuple(whole.values()))


def _whole(one: ScanPredicate, text: str) -> str | None:
    """`text` without parentheses around it, if it is this predicate, which may be cut short."""
    start, cut = one.predicate.removesuffix("…"), one.predicate.endswith("…")
    for whole in (text, text[1:-1] if text.startswith("(") else text):
        # A column of a view has the view's name in the filter, and none in the scan.
        if _unqualified(whole) == _unqualified(one.predicate):
            return one.predicate
        starts = whole.startswith(start) or _unqualified(whole).startswith(_unqualified(start))
        if cut and starts:
            return whole
    return None


def _unqualified(text: str) -> str:
    return _QUALIFIER.sub(lambda found: found.group(1) or "", text)
