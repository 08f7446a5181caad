# SPDX-License-Identifier: Apache-2.0
"""The bar charts of the documentation, made of the raw figures in `docs/figures`.

    python docs/charts.py           writes each chart beside its figures
    python docs/charts.py --check   names the charts that are not those of their figures

`demo.json` is written by `./sbt "demo --json docs/figures/demo.json"`, and `<feature>.json` by
`./sbt "bench <feature>"`; those in `large` are of larger tables. Needs Python alone.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

FIGURES = Path(__file__).resolve().parent / "figures"


class Bar(NamedTuple):
    """One query: `ratio` is its time without Sieve divided by the time with it.

    `low` and `high` are the ratios of the most unfavourable and the most favourable runs, `by_hand`
    is the ratio of the query as a person would write it. A `control` compares off with off.
    """

    name: str
    ratio: float
    low: float
    high: float
    times: str = ""
    by_hand: float | None = None
    control: bool = False


# --- figures -------------------------------------------------------------------------------------


def demo_bars(results: dict[str, Any]) -> list[Bar]:
    """The cases of the demo in their order; of a case whose plan is unchanged too."""
    found = []
    for case in results["cases"]:
        off, on = (sorted(case[side]["seconds"]) for side in ("off", "on"))
        found.append(_bar(case["title"], [1000 * s for s in off], [1000 * s for s in on]))
    return found


def bench_bars(results: dict[str, Any]) -> list[Bar]:
    """The queries of a benchmark, and below them off against off."""
    found, controls = [], []
    for case in results["cases"]:
        samples = {one["name"]: one["samples"] for one in case["variants"]}
        if case["kind"] != "query" or not {"off", "on"} <= samples.keys():
            continue
        hand = samples.get("by hand")
        bar = _bar(case["name"], samples["off"], samples["on"])
        found.append(bar._replace(by_hand=median(samples["off"]) / median(hand) if hand else None))
        if "off again" in samples:
            bar = _bar("off against off", samples["off"], samples["off again"])
            controls.append(bar._replace(control=True))
    return found + controls


def _bar(name: str, off: Sequence[float], on: Sequence[float]) -> Bar:
    """A bar of the milliseconds of both sides."""
    ratio = median(off) / median(on)
    low, high = min(off) / max(on), max(off) / min(on)
    return Bar(name, ratio, low, high, f"{milliseconds(median(off))} → {milliseconds(median(on))}")


def milliseconds(millis: float) -> str:
    """`812 ms`, `1.23 s`."""
    return f"{millis:.0f} ms" if millis < 999.5 else f"{millis / 1000:.2f} s"


def times(ratio: float) -> str:
    """`3.4x`; two decimals near 1x and below, where one would hide a loss."""
    if ratio < 1.05:
        return f"{ratio:.2f}x"
    return f"{ratio:.1f}x" if ratio < 19.95 else f"{ratio:.0f}x"


# --- drawing -------------------------------------------------------------------------------------

# The chart is a card of its own, so that it is readable where page and system disagree about dark.
# Smaller than its natural size, letters grow and the times are left out.
STYLE = """
svg { --card: #ffffff; --line: #d5dbe2; --text: #16202c; --soft: #566372;
  --gain: #0b7d72; --same: #8794a3; --loss: #b3541e; --hand: #16202c; }
@media (prefers-color-scheme: dark) { svg { --card: #171e26; --line: #37424f; --text: #e4eaf1;
  --soft: #a3b0be; --gain: #35bfae; --same: #6f7e8f; --loss: #ef9a5b; --hand: #e4eaf1; } }
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  fill: var(--text); }
.title { font-size: 16px; font-weight: 650; }
.soft { font-size: 11.5px; fill: var(--soft); }
.ratio { font-weight: 650; }
.end { text-anchor: end; }
.mid { text-anchor: middle; }
.card { fill: var(--card); stroke: var(--line); }
.grid { stroke: var(--line); }
.one { stroke: var(--soft); }
.gain { fill: var(--gain); }
.same { fill: var(--same); }
.loss { fill: var(--loss); }
.control { fill: none; stroke: var(--same); stroke-dasharray: 3 2; }
.range { stroke: var(--text); stroke-opacity: .55; }
.hand { fill: var(--card); stroke: var(--hand); stroke-width: 1.5; }
@media (max-width: 520px) {
  text { font-size: 15px; }
  .title { font-size: 18px; }
  .soft { font-size: 14px; }
  .wide { display: none; }
}
""".strip()

WIDTH, LABEL, RIGHT = 640, 270, 68
ROW, BAR, TOP, BOTTOM = 27, 14, 62, 40


def chart(title: str, note: str, bars: Sequence[Bar]) -> str:
    """An SVG with a bar for each query, on a logarithmic scale: a loss points to the left."""
    ends = [end for bar in bars for end in (bar.low, bar.high, bar.by_hand or 1.0)]
    low, high = min(0.5, *ends), max(2.0, *ends)
    left, right = LABEL + 14, WIDTH - RIGHT
    scale = (right - left) / math.log(high / low)

    def x(ratio: float) -> float:
        return left + math.log(ratio / low) * scale

    height = TOP + ROW * len(bars) + BOTTOM
    bottom = TOP + ROW * len(bars)
    hand = any(bar.by_hand for bar in bars)
    parts = [
        f'<rect class="card" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10"/>',
        _text(16, 27, title, "title"),
        _text(16, 46, note, "soft wide"),
        *_grid(x, low, high, bottom),
    ]
    for at, bar in enumerate(bars):
        parts += _row(bar, TOP + ROW * (at + 0.5), x)
    key = "Time without Sieve ÷ with it; right is faster."
    more = " Lines: all runs." + (" Diamonds: written by hand." if hand else "")
    key = f'{escape(key)}<tspan class="wide soft">{escape(more)}</tspan>'
    parts.append(f'<text class="soft" x="16" y="{height - 12}">{key}</text>')
    said = "; ".join(f"{bar.name}: {times(bar.ratio)}" for bar in bars)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}">\n<title>{escape(title)}</title>\n'
        f"<desc>{escape(note)}. {escape(said)}</desc>\n<style>\n{STYLE}\n</style>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _grid(x: Any, low: float, high: float, bottom: float) -> list[str]:
    """A line for each power of two; for every second one where there are many."""
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    step = 2 if len(powers) > 6 else 1
    parts = []
    for power in powers:
        if power % step == 0:
            at = f"{x(2.0**power):.1f}"
            kind = "grid" if power else "one"
            parts.append(f'<path class="{kind}" d="M{at} {TOP}V{bottom}"/>')
            parts.append(_text(at, bottom + 14, f"{2.0**power:g}x", "soft mid"))
    return parts


def _row(bar: Bar, y: float, x: Any) -> list[str]:
    start, end = sorted((x(1.0), x(bar.ratio)))
    kind = "gain" if bar.ratio >= 1.05 else "loss" if bar.ratio < 0.95 else "same"
    parts = [
        f"<g><title>{escape(bar.name)}: {bar.times}, {times(bar.low)} to {times(bar.high)}</title>",
        _text(LABEL, y + 4.5, bar.name, "end"),
        f'<rect class="{"control" if bar.control else kind}" x="{start:.1f}" y="{y - BAR / 2:g}" '
        f'width="{max(end - start, 1.5):.1f}" height="{BAR}"/>',
        f'<path class="range" d="M{x(bar.low):.1f} {y:g}H{x(bar.high):.1f}"/>',
        _text(WIDTH - 12, y + 4.5, times(bar.ratio), "ratio end"),
    ]
    if bar.by_hand:
        at = x(bar.by_hand)
        parts.append(f'<path class="hand" d="M{at:.1f} {y - 5:g}l5 5l-5 5l-5 -5z"/>')
    return [*parts, "</g>"]


def _text(x: float | str, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y:g}">{escape(text)}</text>'


# --- all charts ----------------------------------------------------------------------------------


def charts() -> dict[Path, str]:
    """Each chart, by the file that it belongs into."""
    made = {}
    # Those of other engines are drawn by `./sbt "bench peers --page"`.
    for figures in sorted(set(FIGURES.rglob("*.json")) - set(FIGURES.glob("peers-*"))):
        results = json.loads(figures.read_text(encoding="utf-8"))
        settings = results["settings"]
        if "feature" in results:
            bars = bench_bars(results)
            title = f"Benchmarks of {results['feature']}, {settings['rows']} rows, off and on"
            runs, cores = settings["measured rounds"], settings["cores"]
        else:
            bars = demo_bars(results)
            title = f"The demo: {len(bars)} queries, Sieve off and on"
            runs, cores = settings["Timed runs"], settings["Cores used"]
        spark = f"Spark {settings['Spark']}, {cores} cores"
        note = f"Medians of {runs} alternating runs, equal rows; {spark}"
        made[figures.with_suffix(".svg")] = chart(title, note, bars)
    return made


def main() -> int:
    """Writes the charts, or checks them; returns the exit code."""
    stale = [
        (path, text)
        for path, text in charts().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    word = "stale" if "--check" in sys.argv else "drawn"
    for path, text in stale:
        print(f"{word}: docs/figures/{path.relative_to(FIGURES)}")
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
