"""Which layer deals with which predicate of the scans of a query."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class ScanPredicate:
    """One predicate of a scan.

    `layers` says where it is dealt with, from the source up: "skipped" (partitions, files or
    batches without such rows are not read), "pushed" (the source was given it), "evaluated" (the
    code that reads the source drops the rows), "spark" (Spark asks each row), "not-known".
    `reason` is the code of what keeps it from the source, `remedy` what to do about that (`None`:
    nothing is in the way, or nothing can be done), `detail` either in words.
    """

    predicate: str
    layers: tuple[str, ...]
    reason: str | None
    detail: str
    remedy: str | None


@dataclass(frozen=True)
class Scan:
    """One scan of a query that has predicates.

    `source` is the format or kind, `place` the table or file. `rows_read` and `rows_kept` are of
    the query's last run in this session: what the scan gave, and what its predicates let pass
    (`None`: it has not run).
    """

    source: str
    place: str
    predicates: list[ScanPredicate] = field(default_factory=list)
    rows_read: int | None = None
    rows_kept: int | None = None

    @property
    def run(self) -> str | None:
        """Such as "1,000 rows read, 10 kept"; `None` before a run."""
        if self.rows_read is None or self.rows_kept is None:
            return None
        read = "1 row" if self.rows_read == 1 else f"{self.rows_read:,} rows"
        return f"{read} read, {self.rows_kept:,} kept"
