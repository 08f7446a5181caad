# SPDX-License-Identifier: Apache-2.0
"""Judges what a query did under a fault, and says so in a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from .faults import Fault
from .status import Figures

MARK = "RESULT "
"""What a line of the driver begins with if it is for the program that started it."""

OK, TOO_LATE, FAILED, LEFT_OUT = "ok", "too late", "FAILED", "left out"


class Expected(NamedTuple):
    """The rows without Sieve, and the number of jobs with Sieve, both without a fault."""

    rows: list[str]
    jobs: int


class Found(NamedTuple):
    """One run under a fault, with Sieve on.

    ``error`` is empty if the query succeeded, ``struck`` if the fault came too late. ``changed``
    says whether the plan differs from the one without Sieve, ``warning`` is what Sieve logged.
    """

    rows: list[str]
    figures: Figures
    changed: bool = True
    struck: str = ""
    error: str = ""
    warning: str = ""


class Verdict(NamedTuple):
    """The result of a case, and the reason or the figures."""

    status: str
    why: str


def judge(fault: Fault, expected: Expected, found: Found) -> Verdict:
    """The verdict on a run; an error or a wrong row counts also if the fault came too late."""
    figures = found.figures
    if found.error:
        return Verdict(FAILED, found.error)
    if found.rows != expected.rows:
        rows = f"rows {found.rows[0]} instead of {expected.rows[0]}"
        return Verdict(FAILED, f"{rows}; {found.rows} instead of {expected.rows}")
    if not found.changed:
        return Verdict(FAILED, "the plan is the one without Sieve")
    if found.warning:
        return Verdict(FAILED, f"the rows are right, but {found.warning}")
    if not found.struck:
        return Verdict(TOO_LATE, "the query ended first")
    if figures.jobs > expected.jobs:
        return Verdict(FAILED, f"{figures.text()}; without a fault {expected.jobs} jobs")
    if figures.unexplained or (figures.attempts and not fault.retries):
        return Verdict(FAILED, f"{figures.text()}, and no failed fetch explains the attempts")
    if not fault.seen(figures):
        return Verdict(TOO_LATE, f"the fault had no effect; {figures.text()}")
    return Verdict(OK, figures.text())


def line(case: str, trial: str, verdict: Verdict, seconds: float) -> str:
    """The line of a case under a fault."""
    return f"{case:<20} {trial:<15} {seconds:6.1f} s  {verdict.status}: {verdict.why}"


def summary(verdicts: Iterable[Verdict]) -> str:
    """The last line; it counts what was left out only if there is any."""
    counts = Counter(verdict.status for verdict in verdicts)
    text = f"{counts[OK]} passed, {counts[FAILED]} failed, {counts[TOO_LATE]} too late"
    return f"{text}, {counts[LEFT_OUT]} left out" if counts[LEFT_OUT] else text
