"""Runs a case off and on, in alternation, and says what came of it."""

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

    ``seconds`` are the wall times of the timed runs, ``work`` is what the last one did, ``notes``
    are Sieve's own words on what it rewrote and what it left alone.
    """

    seconds: tuple[float, ...]
    work: Work
    plans: Plans
    rows: Fingerprint
    notes: tuple[str, ...] = ()

    @property
    def median(self) -> float:
        """The median of the timed runs, seconds."""
        return statistics.median(self.seconds)


@dataclass(frozen=True)
class Outcome:
    """A case and both its sides; a failed one has no sides but ``error``."""

    room: str
    case: Case
    status: str
    off: Side | None = None
    on: Side | None = None
    error: str = ""

    @property
    def ok(self) -> bool:
        """Whether it ran and the rows are equal; that alone is no success of Sieve's."""
        return self.status in (CHANGED, UNCHANGED)

    @property
    def ratio(self) -> float | None:
        """Median time off by median time on; None where the plan did not change."""
        if self.status != CHANGED or not self.off or not self.on:
            return None
        return self.off.median / self.on.median


def steps(runs: int) -> int:
    """How many steps :func:`run` reports: a warm-up that compares and ``runs``, on both sides."""
    return 2 * (1 + runs)


def run(
    spark: SparkSession, tables: Tables, room: str, case: Case, runs: int, progress: Progress
) -> Outcome:
    """The outcome of ``case``; an error of a query is part of it."""
    progress.begin(case.name)
    end = progress.done + steps(runs)
    try:
        with settings(spark, case.conf):
            off, on = _measure(spark, tables, case, runs, progress)
    except Exception as error:
        # A query that fails, on whichever side, is a result; the other cases still count.
        progress.skip(end - progress.done)
        return Outcome(room, case, FAILED, error=str(error).strip() or type(error).__name__)
    if off.rows != on.rows:
        status = DIFFERENT
    else:
        status = CHANGED if plans.changed(off.plans, on.plans) else UNCHANGED
    return Outcome(room, case, status, off, on)


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
        # Who goes first changes with every turn, so that neither side gains from its place.
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
    """A line of Sieve's report: the rule, the reason if it declined, and what it looked at."""
    verdict = row.outcome if row.reason is None else f"{row.outcome} ({row.reason})"
    return f"{row.rule} {verdict}: {row.detail or row.place}"


@contextmanager
def settings(spark: SparkSession, values: Mapping[str, str]) -> Iterator[None]:
    """The session with ``values`` set, and as it was afterwards."""
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
