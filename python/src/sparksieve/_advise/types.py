# SPDX-License-Identifier: Apache-2.0
"""What advice on table layouts consists of, read from the JSON document of the JVM."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Shares:
    """Shares of a table that queries read, from 0 to 1: of its files, row groups and bytes."""

    files: float
    row_groups: float
    bytes: float


@dataclass(frozen=True)
class TableSize:
    """The size of a table, today or as predicted."""

    files: int
    row_groups: int
    rows: int
    bytes: int


@dataclass(frozen=True)
class FileRange:
    """The values of a column in one file.

    `start` and `end` say where they are between the least (0) and the greatest (1) value in the
    table; `min` and `max` are the values as text.
    """

    start: float
    end: float
    min: str
    max: str


@dataclass(frozen=True)
class Picture:
    """The ranges of one column in the files: `today`, and `after` the best layout is written."""

    column: str
    low: str
    high: str
    today: list[FileRange]
    after: list[FileRange]


@dataclass(frozen=True)
class AdvisedQuery:
    """A query that advice is for; `seconds` is the time of its runs (`None`: it has not run)."""

    id: int
    text: str
    runs: int
    seconds: float | None


@dataclass(frozen=True)
class QueryRead:
    """What a query reads of a table today.

    `weight` is the query's share of the time of all queries of the table, `predicates` those that
    can skip data, `keys` the columns for which a run collected join keys, and `unused` the
    predicates that cannot skip data.
    """

    query: int
    weight: float
    predicates: list[str]
    keys: list[str]
    unused: list[str]
    today: Shares


@dataclass(frozen=True)
class LayoutAdvice:
    """A layout, what the queries would read of it, and the statement that writes it.

    `kind` is "sort", "zorder" or "partition"; `shrink` how many times smaller the row groups are.
    `gain` is the share of the table's bytes that the queries no longer read (negative: they read
    more), and `uncertainty` how far off that may be. `language` is "sql" or "python". Sieve never
    runs the statement.
    """

    kind: str
    columns: list[str]
    shrink: int
    text: str
    size: TableSize
    read: Shares
    gain: float
    uncertainty: float
    bytes_to_rewrite: int
    language: str
    statement: str
    queries: dict[int, Shares] = field(default_factory=dict)


@dataclass(frozen=True)
class TableAdvice:
    """The advice on one table.

    `outcome` is "rewrite" (the first of the layouts is better), "good" (none is clearly better) or
    "declined" (no advice can be given); `reason` says why. `size` and `today` are `None` if the
    table was not examined.
    """

    table: str
    format: str
    outcome: str
    reason: str
    partition_columns: list[str]
    size: TableSize | None
    sample_rows: int
    today: Shares | None
    queries: list[QueryRead]
    layouts: list[LayoutAdvice]
    picture: Picture | None
    notes: list[str]

    @property
    def best(self) -> LayoutAdvice | None:
        """The layout to write; `None` unless `outcome` is "rewrite"."""
        return self.layouts[0] if self.outcome == "rewrite" else None


def query_of(found: dict[str, Any]) -> AdvisedQuery:
    """A query of the document."""
    return AdvisedQuery(**found)


def table_of(found: dict[str, Any]) -> TableAdvice:
    """A table of the document."""
    size, today, picture = found["size"], found["today"], found["picture"]
    return TableAdvice(
        found["table"],
        found["format"],
        found["outcome"],
        found["reason"],
        found["partition_columns"],
        TableSize(**size) if size else None,
        found["sample_rows"],
        Shares(**today) if today else None,
        [QueryRead(**{**read, "today": Shares(**read["today"])}) for read in found["queries"]],
        [_layout(layout) for layout in found["layouts"]],
        _picture(picture) if picture else None,
        found["notes"],
    )


def _layout(found: dict[str, Any]) -> LayoutAdvice:
    parts = {
        "size": TableSize(**found["size"]),
        "read": Shares(**found["read"]),
        "queries": {one["query"]: Shares(**one["read"]) for one in found["queries"]},
    }
    return LayoutAdvice(**{**found, **parts})


def _picture(found: dict[str, Any]) -> Picture:
    def ranges(bars: list[dict[str, Any]]) -> list[FileRange]:
        return [FileRange(bar["from"], bar["to"], bar["min"], bar["max"]) for bar in bars]

    return Picture(
        found["column"],
        found["low"],
        found["high"],
        ranges(found["today"]),
        ranges(found["after"]),
    )
