# SPDX-License-Identifier: Apache-2.0
"""The tables of the page of benchmarks, from the raw figures in `docs/figures`."""

from __future__ import annotations

import json
import re
import statistics
from typing import Any

from charts import FIGURES, milliseconds, times


def figures(name: str) -> dict[str, Any]:
    """The raw figures of this name."""
    found: dict[str, Any] = json.loads((FIGURES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def figures_table(name: str) -> str:
    """A row for each query, and one for each comparison of off with off; then planning."""
    results = figures(name)
    rows, planning = [], []
    for case in results["cases"]:
        medians = {one["name"]: one["median"] for one in case["variants"]}
        off, on = medians.get("off"), medians.get("on")
        if off is None or on is None or case["failures"]:
            raise ValueError(f"{name}.json: {case['name']} has no figures, or failures")
        if case["kind"] == "planning":
            planning.append(f"| {case['name']} | {case['about']} | {_growth(case)} |")
            continue
        others = [
            f"{other} {times(off / median)}"
            for other, median in medians.items()
            if other not in ("off", "on", "off again")
        ]
        cells = (case["name"], case["about"], milliseconds(off), milliseconds(on), _ratio(off / on))
        rows.append(f"| {' | '.join(cells)} | {', '.join(others) or '–'} |")
        if "off again" in medians:
            again = medians["off again"]
            cells = (
                f"off against off: {case['name']}",
                "what the comparison gives where nothing changes",
                milliseconds(off),
                milliseconds(again),
                times(off / again),
            )
            rows.append(f"| {' | '.join(cells)} | – |")
    head = "| case | what it is | off | on | off/on | off/others |\n|---|---|---|---|---|---|"
    text = "\n".join([head, *rows])
    if planning:
        head = "| planning | what it is | planning with Sieve takes |\n|---|---|---|"
        text += "\n\n" + "\n".join([head, *planning])
    return text


def _ratio(ratio: float) -> str:
    """The ratio of a query; a loss is marked."""
    return f"**{times(ratio)}, slower**" if ratio < 0.95 else times(ratio)


def _growth(case: dict[str, Any]) -> str:
    if "growth" not in case:
        return "–"
    more = case["growth"]
    return f"{abs(more):.2f} ms {'longer' if more >= 0 else 'less'}"


def command(name: str) -> str:
    """The command that repeats a benchmark.

    :raises ValueError: `measure.sh` has none of this name.
    """
    text = FIGURES.with_name("measure.sh").read_text(encoding="utf-8")
    found = re.search(rf"^bench ({name} .*)$", text, re.MULTILINE)
    if not found:
        raise ValueError(f"measure.sh does not run a benchmark {name}")
    return f'```sh\n./sbt "bench {found[1]}"\n```'


def demo_table(_: str) -> str:
    """A row for each query of the demo."""
    rows = []
    for case in figures("demo")["cases"]:
        off, on = (1000 * statistics.median(case[side]["seconds"]) for side in ("off", "on"))
        cells = (case["title"], milliseconds(off), milliseconds(on), _ratio(off / on))
        read = [f"{case[side]['rows_read']:,}" for side in ("off", "on")]
        rows.append(f"| {' | '.join([*cells, *read])} |")
    head = "| query | off | on | off/on | rows read, off | on |\n|---|---|---|---|---|---|"
    return "\n".join([head, *rows])


def settings_table(name: str) -> str:
    """The settings of a benchmark and its data, folded."""
    results = figures(name)
    rows = [f"| {key} | {value} |" for key, value in results["settings"].items()]
    for data in results.get("data", []):
        size = f"{data['bytes'] / 2**20:,.1f} MiB"
        rows.append(f"| data {data['name']} | {data['rows']:,} rows, {data['format']}, {size} |")
    lines = ["| setting | value |", "|---|---|", *rows]
    return "\n".join(['??? note "Settings and data"', "", *(f"    {line}" for line in lines)])
