# SPDX-License-Identifier: Apache-2.0
"""Medians, sums and ratios of a report of [rounds]."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from .engines import BY_NAME

BASE = "spark"
AGAIN = "spark-again"

# A run during which other processes kept more than this many cores busy is marked.
DISTURBED = 0.25

# Where more than this share of the runs is disturbed, wall seconds say nothing: processor seconds
# are compared instead.
CALM = 0.1


class Cell(NamedTuple):
    """An engine's figures for a query: medians of seconds, and what was read."""

    wall: float
    cpu: float
    read_bytes: int
    input_bytes: int | None
    input_rows: int | None


class Summary(NamedTuple):
    """An engine's figures over several queries; `ratio` is the geometric mean of Spark's / its."""

    wall: float
    cpu: float
    ratio: float
    cpu_ratio: float
    read_bytes: int
    input_bytes: int | None
    input_rows: int | None


class Report:
    """A report with its medians."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        # Engines may have been added to a report in any order.
        self.engines: list[str] = [name for name in BY_NAME if name in found["engines"]]
        self.queries: dict[str, dict[str, Any]] = found["queries"]
        disturbed, runs = self.disturbed()
        self.calm = disturbed <= CALM * runs

    def raw(self, query: str, engine: str) -> dict[str, Any]:
        """What the report has about an engine's query."""
        place: dict[str, Any] = self.queries[query]["engines"].get(engine, {})
        return place

    def cell(self, query: str, engine: str) -> Cell | None:
        """The medians; None if the query failed or has not been measured."""
        raw = self.raw(query, engine)
        if "error" in raw or not raw.get("runs"):
            return None
        # The rows and reads of Spark's second measurement are those of the first.
        read = raw if "rows" in raw else self.raw(query, BASE)
        return Cell(
            statistics.median(run["wall"] for run in raw["runs"]),
            statistics.median(run["cpu"] for run in raw["runs"]),
            read["read_bytes"],
            read["input_bytes"],
            read["input_rows"],
        )

    def measured(self) -> list[str]:
        """The engines with figures."""
        return [e for e in self.engines if any(self.cell(q, e) for q in self.queries)]

    def common(self) -> list[str]:
        """The queries that every measured engine ran: sums are over these."""
        engines = self.measured()
        return [q for q in self.queries if all(self.cell(q, e) for e in engines)]

    def summary(self, engine: str, queries: Iterable[str]) -> Summary:
        """An engine's figures over these queries, all of which it ran."""
        names = list(queries)
        cells = [self.known(q, engine) for q in names]
        base = [self.known(q, BASE) for q in names]
        return Summary(
            sum(cell.wall for cell in cells),
            sum(cell.cpu for cell in cells),
            mean(b.wall / c.wall for b, c in zip(base, cells, strict=True)),
            # A time of less than a tick of the processor's clock is no ratio.
            mean(max(b.cpu, 0.01) / max(c.cpu, 0.01) for b, c in zip(base, cells, strict=True)),
            sum(cell.read_bytes for cell in cells),
            total(cell.input_bytes for cell in cells),
            total(cell.input_rows for cell in cells),
        )

    def known(self, query: str, engine: str) -> Cell:
        """The medians of a query that the engine ran."""
        cell = self.cell(query, engine)
        if cell is None:
            raise ValueError(f"{engine} has no figures of {query}")
        return cell

    def seconds(self, cell: Cell) -> float:
        """The seconds by which engines are compared: wall, or of the processor if disturbed."""
        # A time of less than a tick of the processor's clock is no ratio.
        return cell.wall if self.calm else max(cell.cpu, 0.01)

    @property
    def clock(self) -> str:
        """What [seconds] are."""
        return "wall" if self.calm else "CPU"

    def ratios(self, engine: str) -> dict[str, float]:
        """Spark's seconds divided by the engine's, by query."""
        pairs = {q: (self.cell(q, BASE), self.cell(q, engine)) for q in self.queries}
        return {q: self.seconds(a) / self.seconds(b) for q, (a, b) in pairs.items() if a and b}

    def rounds(self) -> int:
        """The fewest rounds that an engine has of a query that it ran."""
        return min(
            (
                len(self.raw(q, e)["runs"])
                for q in self.queries
                for e in self.engines
                if self.cell(q, e)
            ),
            default=0,
        )

    def noise(self) -> tuple[float, float]:
        """Between which ratios four fifths of the queries of Spark against Spark are."""
        found = sorted(self.ratios(AGAIN).values())
        if len(found) < 2:
            return (1.0, 1.0)
        tenths = statistics.quantiles(found, n=10, method="inclusive")
        return tenths[0], tenths[-1]

    def disturbed(self) -> tuple[int, int]:
        """How many runs were disturbed by other processes, and how many there are."""
        runs = [
            run
            for query in self.queries
            for engine in self.engines
            for run in self.raw(query, engine).get("runs", [])
        ]
        return sum(run["others"] > DISTURBED for run in runs), len(runs)

    def fastest(self, engines: list[str]) -> dict[str, int]:
        """In how many queries each of the engines was the fastest."""
        wins = dict.fromkeys(engines, 0)
        for query in self.common():
            wins[min(engines, key=lambda e: self.seconds(self.known(query, e)))] += 1
        return wins

    def where(self, engine: str, test: Callable[[dict[str, Any]], Any]) -> list[str]:
        """The queries for which an engine's entry passes a test."""
        return [q for q in self.queries if test(self.raw(q, engine))]


def mean(ratios: Iterable[float]) -> float:
    """The geometric mean."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0


def total(values: Iterable[int | None]) -> int | None:
    """The sum, or None if a value is missing."""
    found = list(values)
    return None if any(v is None for v in found) else sum(v for v in found if v is not None)
