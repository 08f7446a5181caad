# SPDX-License-Identifier: Apache-2.0
"""The engines, by name; each is one session in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

Row = tuple[Any, ...]


class Limits(NamedTuple):
    """What an engine may use: gigabytes of memory, and threads."""

    memory: int
    threads: int


class Scanned(NamedTuple):
    """What a query's scans read, by the engine's own counters; None where it has none."""

    bytes: int | None
    rows: int | None


class Engine(Protocol):
    """A session of an engine over the tables of one layout."""

    def version(self) -> dict[str, str]:
        """The versions of the programs that take part."""

    def processes(self) -> list[int]:
        """The processes whose time and reads are the engine's."""

    def run(self, sql: str) -> list[Row]:
        """Runs a query and returns its rows."""

    def mark(self) -> Any:
        """Where the counters of scans are now, for [scanned]."""

    def scanned(self, mark: Any) -> Scanned:
        """What scans have read since a mark, counted without slowing a query."""

    def counted(self, sql: str) -> tuple[list[Row], Scanned]:
        """Runs a query with the engine's counters on; its time is not measured."""

    def close(self) -> None:
        """Ends the session."""


class Kind(NamedTuple):
    """An engine of the comparison: `family` says which module runs it."""

    name: str
    family: str
    about: str
    # Spark's confs besides those of every Spark engine.
    confs: Mapping[str, str] = MappingProxyType({})
    sieve: bool = False
    comet: bool = False


BLOOM = "spark.sql.optimizer.runtime.bloomFilter"

KINDS = [
    Kind("spark", "spark", "Spark"),
    Kind("spark-again", "spark", "Spark, measured a second time: what differs is noise"),
    Kind(
        "bloom",
        "spark",
        "Spark with its runtime Bloom filter wherever it is possible",
        {
            f"{BLOOM}.enabled": "true",
            f"{BLOOM}.applicationSideScanSizeThreshold": "0",
            f"{BLOOM}.creationSideThreshold": "1g",
        },
    ),
    Kind("sieve", "spark", "Spark with Sieve", sieve=True),
    Kind("comet", "spark", "Spark with Comet", comet=True),
    Kind("comet-sieve", "spark", "Spark with Comet and Sieve", comet=True, sieve=True),
    Kind("duckdb", "duckdb", "DuckDB"),
    Kind("datafusion", "datafusion", "DataFusion"),
]

BY_NAME = {kind.name: kind for kind in KINDS}
