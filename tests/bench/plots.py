# SPDX-License-Identifier: Apache-2.0
"""Plots the results of `./sbt "bench adaptivefilter"` and `./sbt "bench bulkfilter"`.

Reads `<feature>.json` in the folder `--out` (default: `target/bench`) and writes the plots beside
it. For `adaptivefilter`, in the form of document 003's figures: `orders.png` (Figure 1: each
written order, static and adaptive), and `<config>.png` for each config that was measured with more
than one value (Figures 2 to 4). For `bulkfilter`: `leaves.png` and `keys.png`, times by the number
of leaves and of keys.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"off": "#888888", "on": "#0b6e4f", "rank": "#d17a22", "prototype": "#7a5195"}
NAMES = {
    "off": "static",
    "on": "adaptive, greedy",
    "rank": "adaptive, rank",
    "prototype": "prototype's dispatch",
}


def medians(case: dict[str, Any]) -> dict[str, float]:
    """Medians by variant, in milliseconds."""
    return {v["name"]: v["median"] for v in case["variants"]}


def orders(cases: list[dict[str, Any]], out: Path) -> None:
    """Plots times relative to the best static order, from the best written order to the worst."""
    found = {c["name"].split("/")[1]: medians(c) for c in cases}
    best = min(m["off"] for m in found.values())
    ranked = sorted(found, key=lambda name: found[name]["off"])
    figure, axes = plt.subplots(figsize=(11, 4.5))
    for variant, name in NAMES.items():
        if all(variant in m for m in found.values()):
            values = [found[o][variant] / best for o in ranked]
            axes.plot(ranked, values, marker="o", color=COLOURS[variant], label=name)
            print(f"{name}: {min(values):.2f} to {max(values):.2f} of the best static order")
    axes.axhline(1.05, color="#bbbbbb", linestyle="--", linewidth=1, label="1.05")
    axes.set(xlabel="written order", ylabel="time / best static order", ylim=(0, None))
    axes.tick_params(axis="x", rotation=60)
    axes.legend(loc="lower right", ncols=3)
    save(figure, out / "orders.png")


def sensitivity(config: str, cases: list[dict[str, Any]], out: Path) -> None:
    """Plots the rank policy's time for each value of a config, and the static filter's."""
    values = [c["name"].split("/")[2] for c in cases]
    figure, axes = plt.subplots(figsize=(6, 4))
    for variant in ("off", "on"):
        times = [medians(c)[variant] / 1000 for c in cases]
        label = "static" if variant == "off" else "adaptive, rank"
        axes.plot(values, times, marker="o", color=COLOURS[variant], label=label)
    axes.set(xlabel=config, ylabel="seconds", ylim=(0, None))
    axes.legend(loc="lower right")
    save(figure, out / f"{config}.png")


GROWTH = {
    "on": ("Sieve", "#0b6e4f"),
    "off": ("existence joins", "#888888"),
    "document": ("the document's plan", "#d17a22"),
}


def growth(what: str, lines: dict[str, tuple[str, list[dict[str, Any]]]], out: Path) -> None:
    """Plots seconds by the number at the end of a case's name, with one line for each variant.

    `lines` maps a line style to its cases and to the suffix of the line's name. The variant "off"
    is left out if it only checks the rows and is not Spark's joins.
    """
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for style, (added, cases) in lines.items():
        for variant, (name, colour) in GROWTH.items():
            found = {
                float(c["name"].split("/")[-1]): medians(c)[variant] / 1000
                for c in cases
                if variant in medians(c) and not (variant == "off" and "formula" in c["about"])
            }
            if found and (variant == "on" or style == "-"):
                axes.plot(
                    list(found),
                    list(found.values()),
                    marker="o",
                    linestyle=style,
                    color=colour,
                    label=name + (added if variant == "on" else ""),
                )
    axes.set(xlabel=what, ylabel="seconds", xscale="log", yscale="log")
    axes.legend(loc="upper left")
    save(figure, out / f"{what}.png")


def bulkfilter(cases: list[dict[str, Any]], out: Path) -> None:
    """Plots times by the number of leaves, and by the number of keys of a leaf."""

    def of(prefix: str) -> list[dict[str, Any]]:
        return [c for c in cases if c["name"].startswith(prefix)]

    cold, kept = of("leaves/cold/"), of("leaves/kept/")
    if len(cold) > 1:
        growth("leaves", {"-": (", sets built", cold), "--": (", sets kept", kept)}, out)
    if len(of("keys/")) > 1:
        growth("keys", {"-": ("", of("keys/"))}, out)
    for how, several in (("built", cold), ("kept", kept)):
        times = {c["name"].split("/")[-1]: medians(c)["on"] for c in several}
        if {"4", "100"} <= set(times):
            print(f"100 leaves, sets {how}: {times['100'] / times['4']:.2f} times 4 leaves")


def adaptivefilter(cases: list[dict[str, Any]], out: Path) -> None:
    """Plots document 003's figures."""
    written = [c for c in cases if c["name"].startswith("orders/")]
    if len(written) > 1:
        orders(written, out)
    for config in ("collectRate", "calculateRate", "momentum"):
        of = [c for c in cases if c["name"].startswith(f"sensitivity/{config}/")]
        if len(of) > 1:
            sensitivity(config, of, out)


def save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    print(f"Drawn: {path}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("feature", choices=("adaptivefilter", "bulkfilter"))
    parser.add_argument("--out", type=Path, default=Path("target", "bench"))
    known = parser.parse_known_args()[0]
    report = json.loads((known.out / f"{known.feature}.json").read_text())
    cases = [c for c in report["cases"] if c["variants"]]
    (bulkfilter if known.feature == "bulkfilter" else adaptivefilter)(cases, known.out)


if __name__ == "__main__":
    main()
