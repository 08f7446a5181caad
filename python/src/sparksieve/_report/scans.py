# SPDX-License-Identifier: Apache-2.0
"""Which layer handles which predicate of a query's scans."""

from __future__ import annotations

from dataclasses import dataclass, field

from sparksieve._numbers import counted


@dataclass(frozen=True)
class ScanPredicate:
    """One predicate of a scan.

    `layers` says which layers handle it, from the source up: "skipped" (partitions, files or
    batches without such rows are not read), "pushed" (the source was given the predicate),
    "evaluated" (the code that reads the source drops the rows), "spark" (Spark evaluates it for
    each row that the scan returns), "not-known" (it could not be found out).
    `reason` is the code of why the source does not handle it, `remedy` how to change that (`None`:
    there is no obstacle, or no remedy), `detail` explains the layers or the reason in words.
    """

    predicate: str
    layers: tuple[str, ...]
    reason: str | None
    detail: str
    remedy: str | None


@dataclass(frozen=True)
class Scan:
    """One scan of a query that has predicates.

    `source` is the format or kind, `place` the table or file. `rows_read` and `rows_kept` are from
    the query's last run in this session: the rows that the scan returned, and those that passed
    its predicates (`None`: the query has not run).
    """

    source: str
    place: str
    predicates: list[ScanPredicate] = field(default_factory=list)
    rows_read: int | None = None
    rows_kept: int | None = None

    @property
    def run(self) -> str | None:
        """For example "1,000 rows read, 10 kept"; `None` before a run."""
        if self.rows_read is None or self.rows_kept is None:
            return None
        return read_and_kept(self.rows_read, self.rows_kept)


def read_and_kept(read: int, kept: int) -> str:
    """For example "1,000 rows read, 10 kept"."""
    return f"{counted(read, 'row')} read, {kept:,} kept"
