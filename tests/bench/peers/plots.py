# SPDX-License-Identifier: Apache-2.0
"""The plots of a report, as SVG that is the same whenever it is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from .figures import BASE, Report

matplotlib.rcParams["svg.hashsalt"] = "peers"
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.family"] = "sans-serif"

COLOURS = {
    "spark": "#888888",
    "spark-again": "#bbbbbb",
    "bloom": "#d17a22",
    "sieve": "#0b6e4f",
    "comet": "#7a5195",
    "comet-sieve": "#3b7dd8",
    "duckdb": "#c2a500",
    "datafusion": "#b3446c",
}


def sums(report: Report, labels: dict[str, str], path: Path) -> None:
    """Bars with the sums of wall seconds and of processor seconds of each engine."""
    engines = report.measured()
    queries = report.common()
    found = [report.summary(engine, queries) for engine in engines]
    figure, both = plt.subplots(1, 2, figsize=(10, 0.42 * len(engines) + 1.1), sharey=True)
    for axes, title, values in (
        (both[0], "wall seconds", [s.wall for s in found]),
        (both[1], "processor seconds", [s.cpu for s in found]),
    ):
        bars = axes.barh([labels[e] for e in engines], values, color=[COLOURS[e] for e in engines])
        axes.bar_label(bars, labels=[f" {v:,.0f}" if v >= 10 else f" {v:.1f}" for v in values])
        axes.set(title=f"{title}, {len(queries)} queries", xlim=(0, max(values) * 1.15))
        axes.spines[["top", "right"]].set_visible(False)
    both[0].invert_yaxis()
    save(figure, path)


def ratios(report: Report, labels: dict[str, str], path: Path) -> None:
    """Dots with Spark's seconds divided by the engine's, by query, in the order of Sieve's."""
    engines = [e for e in report.measured() if e != BASE]
    sieve = report.ratios("sieve") or report.ratios(BASE)
    ranked = sorted(sieve, key=lambda q: sieve[q])
    figure, axes = plt.subplots(figsize=(max(8.0, 0.13 * len(ranked)), 4.6))
    for engine in engines:
        found = report.ratios(engine)
        shown = [q for q in ranked if q in found]
        axes.plot(
            [ranked.index(q) for q in shown],
            [found[q] for q in shown],
            linestyle="none",
            marker="o" if engine == "sieve" else ".",
            color=COLOURS[engine],
            label=labels[engine],
        )
    low, high = report.noise()
    axes.axhspan(low, high, color="#eeeeee", zorder=0, label="noise")
    axes.axhline(1, color="#888888", linewidth=1)
    axes.set(ylabel=f"Spark's {report.clock} seconds / engine's", yscale="log")
    axes.set_xticks(range(len(ranked)), ranked, rotation=90, fontsize=8)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8, frameon=False)
    save(figure, path)


def save(figure: Any, path: Path) -> None:
    """Writes a figure without its date."""
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None}, facecolor="white")
    plt.close(figure)
