# SPDX-License-Identifier: Apache-2.0
"""Runs a case with Sieve off and on, in alternation, and compares both sides."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sparksieve
from sparksieve.demo import plans
from sparksieve.demo.case import Case, Tables
from sparksieve.demo.fingerprint import Fingerprint, fingerprint
from sparksieve.demo.metrics import Work, last_execution
from sparksieve.demo.plans import Plans
from sparksieve.demo.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sparksieve import ReportRow

SWITCH = "spark.sieve.enabled"

CHANGED, UNCHANGED, DIFFERENT, FAILED = "changed", "unchanged", "different rows", "failed"


@dataclass(frozen=True)
class Side:
    """One side of a case.

    ``seconds`` are the wall times of the timed runs, ``work`` is the work of the last run,
    ``notes`` are the lines of Sieve's report.
    """

    seconds: tuple[float, ...]
    work: Work
    plans: Plans
    rows: Fingerprint
    notes: tuple[str, ...] = ()

    @property
    def median(self) -> float:
        """The median of the timed runs, in seconds."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Outcome:
    """A case and its two sides; a failed case has an ``error`` instead of sides."""

    feature: str
    case: Case
    status: str
    off: Side | None = None
    on: Side | None = None
    error: str = ""

    @property
    def ok(self) -> bool:
        """Whether the case ran with equal rows; the plan may still be unchanged."""
        return self.status in (CHANGED, UNCHANGED)

    @property
    def ratio(self) -> float | None:
        """Median time off divided by median time on; None unless the plan changed."""
        if self.status != CHANGED or not self.off or not self.on:
            return None
        return self.off.median / self.on.median


def steps(runs: int) -> int:
    """The steps that :func:`run` reports: for each side a warm-up with comparison, and ``runs``."""
    return 2 * (1 + runs)


def run(
    spark: SparkSession, tables: Tables, feature: str, case: Case, runs: int, progress: Progress
) -> Outcome:
    """Runs ``case`` and returns its outcome, which includes the error of a failed query."""
    progress.begin(case.name)
    end = progress.done + steps(runs)
    try:
        with settings(spark, case.conf):
            off, on = _measure(spark, tables, case, runs, progress)
    except Exception as error:
        # A query that fails on either side is a result, and the other cases still run.
        progress.skip(end - progress.done)
        return Outcome(feature, case, FAILED, error=str(error).strip() or type(error).__name__)
    if off.rows != on.rows:
        status = DIFFERENT
    else:
        status = CHANGED if plans.changed(off.plans, on.plans) else UNCHANGED
    return Outcome(feature, case, status, off, on)


def _measure(
    spark: SparkSession, tables: Tables, case: Case, runs: int, progress: Progress
) -> tuple[Side, Side]:
    rows: dict[bool, Fingerprint] = {}
    planned: dict[bool, Plans] = {}
    work: dict[bool, Work] = {}
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for on in (False, True):
        with settings(spark, {SWITCH: str(on).lower()}):
            planned[on] = plans.plans(case.build(spark, tables, on))
            # Comparing the rows is also the warm-up: the whole query runs once on each side.
            rows[on] = fingerprint(case.build(spark, tables, on))
            progress.step("warm-up, rows")
    for turn in range(runs):
        # The first side changes with every turn, so that neither side gains from its position.
        for on in (turn % 2 == 1, turn % 2 == 0):
            with settings(spark, {SWITCH: str(on).lower()}):
                query = case.build(spark, tables, on)
                begun = time.perf_counter()
                query.write.format("noop").mode("overwrite").save()
                took = time.perf_counter() - begun
            seconds[on].append(took)
            if turn == runs - 1:
                work[on] = last_execution(spark)
            progress.step(f"run {turn + 1} of {runs}")

    notes = tuple(note(row) for row in sparksieve.report(case.build(spark, tables)).rows)

    def side(on: bool) -> Side:
        said = notes if on else ()
        return Side(tuple(seconds[on]), work[on], planned[on], rows[on], said)

    return side(False), side(True)


def note(row: ReportRow) -> str:
    """A line of Sieve's report: the rule, the outcome, its reason, and the detail or the place."""
    verdict = row.outcome if row.reason is None else f"{row.outcome} ({row.reason})"
    return f"{row.rule} {verdict}: {row.detail or row.place}"


@contextmanager
def settings(spark: SparkSession, values: Mapping[str, str]) -> Iterator[None]:
    """Sets ``values`` in the session for a block, and restores the old values afterwards."""
    before = {key: spark.conf.get(key, None) for key in values}
    try:
        for key, value in values.items():
            spark.conf.set(key, value)
        yield
    finally:
        for key, old in before.items():
            if old is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, old)
