# SPDX-License-Identifier: Apache-2.0
"""The orders in which adaptive filters evaluated their predicates, and a plot of them."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from sparksieve.errors import PlotError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

LONGEST_LABEL = 40
"""The legend shows at most this many characters of a predicate."""


@dataclass(frozen=True)
class OrderRow:
    """The position of one predicate in its filter's order at one moment of the query's last run.

    `place` is the filter, `at_ms` the milliseconds since the filter's first moment. `written` and
    `position` are the predicate's positions, from 1, as written and in the order at that moment.
    `pass_rate` is the share of the rows that pass, of those the predicate is evaluated on, and
    `nanos` the nanoseconds of one evaluation (`None`: not known).
    """

    place: str
    executor: str
    at_ms: int
    predicate: str
    written: int
    position: int
    pass_rate: float | None
    nanos: float | None


def plot_orders(orders: Sequence[OrderRow]) -> Figure:
    """Draws position and selectivity of each predicate over time; see `Report.plot`.

    Raises:
        PlotError: matplotlib is missing, or there is nothing to draw.
    """
    if not orders:
        raise PlotError(
            "No adaptive filter of this query has run in this session: run the query with "
            "spark.sieve.adaptiveFilter.enabled, then create the report again."
        )
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator, PercentFormatter
    except ImportError as e:
        raise PlotError(
            "Plots need matplotlib, which is not installed: pip install 'sparksieve[plot]'."
        ) from e

    places = sorted({order.place for order in orders})
    # Notebooks show a figure of matplotlib's own class only if they have imported pyplot.
    shown = type("Figure", (Figure,), {"_repr_png_": _png})
    figure: Figure = shown(figsize=(10, 4 * len(places)), layout="constrained")
    panels = figure.subplots(len(places), 2, squeeze=False, sharex="row")
    for place, (left, right) in zip(places, panels):
        mine = [order for order in orders if order.place == place]
        for number, written in enumerate(sorted({order.written for order in mine})):
            of_one = [order for order in mine if order.written == written]
            for executor in sorted({order.executor for order in of_one}):
                line = sorted(
                    (order for order in of_one if order.executor == executor),
                    key=lambda order: order.at_ms,
                )
                first = executor == min(order.executor for order in of_one)
                look = {
                    "color": f"C{number % 10}",
                    "marker": "o",
                    "markersize": 3,
                    "label": _label(line[0]) if first else "_nolegend_",
                }
                times = [order.at_ms for order in line]
                left.plot(times, [order.position for order in line], drawstyle="steps-post", **look)
                right.plot(
                    times,
                    [float("nan") if o.pass_rate is None else o.pass_rate for o in line],
                    **look,
                )
        left.set(title="position in the order", xlabel="ms", ylabel=place)
        left.yaxis.set_major_locator(MaxNLocator(integer=True))
        left.invert_yaxis()
        right.set(title="rows that pass", xlabel="ms", ylim=(-0.02, 1.02))
        right.yaxis.set_major_formatter(PercentFormatter(xmax=1))
        right.legend(fontsize="small")
    return figure


def _png(figure: Figure) -> bytes:
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _label(order: OrderRow) -> str:
    text = order.predicate
    short = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return f"{order.written}. {short}".replace("$", r"\$")
