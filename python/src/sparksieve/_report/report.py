# SPDX-License-Identifier: Apache-2.0
"""The report of a query: what Sieve applied, and why it declined the rest."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sparksieve._report.details import detailed
from sparksieve._report.html import report_html
from sparksieve._report.orders import OrderRow, plot_orders
from sparksieve._report.plans import renumbered
from sparksieve._report.scans import Scan, ScanPredicate
from sparksieve._report.source import document, session_of
from sparksieve._report.text import brief
from sparksieve._setup.unknown_configs import settings_of, warn_of_unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class ReportRow:
    """One place where a rule was applied or declined, or a measurement of the query's run.

    `outcome` is "applied", "declined" or "measured", `reason` a code (`None` unless declined),
    `place` the operator, `detail` the rewrite, the obstacle or the measurement. "measured" rows
    are from the query's last run in this session; their `rule` is the operator.
    """

    id: int
    feature: str
    rule: str
    outcome: str
    reason: str | None
    place: str
    detail: str


@dataclass(frozen=True)
class PlanPair:
    """One plan of the query without Sieve and with it; `stage` is "optimized" or "physical"."""

    stage: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether the plans differ in more than their numbers."""
        return renumbered(self.before) != renumbered(self.after)


class Report:
    """The report of one query.

    As text, and as HTML in notebooks, it shows each fact once, and the base names of files. `rows`,
    `plans`, `orders` and `scans` have everything.
    """

    def __init__(
        self,
        rows: list[ReportRow],
        plans: list[PlanPair],
        orders: Sequence[OrderRow] = (),
        scans: Sequence[Scan] = (),
        details: bool = False,
    ) -> None:
        self.rows = rows
        self.plans = plans
        self.orders = list(orders)
        self.scans = list(scans)
        self.details = details

    @property
    def applied(self) -> list[ReportRow]:
        """The places that were rewritten."""
        return [row for row in self.rows if row.outcome == "applied"]

    @property
    def declined(self) -> list[ReportRow]:
        """The places that were not rewritten, each with its reason."""
        return [row for row in self.rows if row.outcome == "declined"]

    @property
    def measured(self) -> list[ReportRow]:
        """The measurements of the query's last run in this session; empty before a run."""
        return [row for row in self.rows if row.outcome == "measured"]

    @property
    def summary(self) -> str:
        """One line: how many verdicts are "applied", and how many "declined"."""
        if not self.applied and not self.declined:
            return "Sieve: no rule applies to this query."
        return f"Sieve: {len(self.applied)} applied, {len(self.declined)} declined."

    def plot(self) -> Figure:
        """Draws order and selectivity of the adaptive filters over time, in the query's last run.

        Returns:
            a matplotlib figure: for each filter, one panel with the position of each predicate in
            the order, and one with the share of rows that pass it; each executor has its own line.

        Raises:
            PlotError: matplotlib is missing, or no adaptive filter of the query has run.
        """
        return plot_orders(self.orders)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: lists under "rows", "plans", "orders" and "scans"."""
        return {
            "rows": [asdict(row) for row in self.rows],
            "plans": [asdict(pair) for pair in self.plans],
            "orders": [asdict(order) for order in self.orders],
            "scans": [_plain(scan) for scan in self.scans],
        }

    def show(self, details: bool | None = None) -> None:
        """Prints the report.

        Args:
            details: whether to print every row, predicate and figure (default: as `report` was
                called).
        """
        wanted = self.details if details is None else details
        print(detailed(self) if wanted else brief(self))

    def __str__(self) -> str:
        return detailed(self) if self.details else brief(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return report_html(self)


def report(
    query: DataFrame | str, spark: SparkSession | None = None, *, details: bool = False
) -> Report:
    """Plans a query without running it, and reports what Sieve did to it.

    `Report.scans` shows for each scan which layer handles which predicate. After the query has run
    in this session, the report includes the measurements of its last run.

    Args:
        query: a DataFrame, or SQL text, or the name of a view or table.
        spark: the session for SQL text (default: the active session).
        details: whether the report prints every row, predicate and figure, with full paths.

    Raises:
        TypeError: `query` is something else, such as a Column.
        SieveNotActiveError: the session runs without Sieve.
        NoSessionError: `query` is SQL text, and there is no session.

    Warns:
        UnknownConfigWarning: a setting of the session under `spark.sieve.` is not a config.
    """
    session = session_of(query, spark)
    found = document(session, query)
    warn_of_unknown(settings_of(session))
    return Report(
        [ReportRow(**row) for row in found["rows"]],
        [PlanPair(**row) for row in found["plans"]],
        [OrderRow(**row) for row in found["orders"]],
        _scans(found["scans"]),
        details,
    )


def _scans(rows: Sequence[dict[str, Any]]) -> list[Scan]:
    """Groups rows, one for each predicate in the order of the scans, into scans."""
    scans: dict[int, Scan] = {}
    for row in rows:
        scan = scans.setdefault(
            row["scan"],
            Scan(
                row["source"],
                row["place"],
                rows_read=row["rows_read"],
                rows_kept=row["rows_kept"],
            ),
        )
        layers = tuple(row["layers"].split(", "))
        scan.predicates.append(
            ScanPredicate(row["predicate"], layers, row["reason"], row["detail"], row["remedy"])
        )
    return list(scans.values())


def _plain(scan: Scan) -> dict[str, Any]:
    plain = asdict(scan)
    for one in plain["predicates"]:
        one["layers"] = list(one["layers"])
    return plain
