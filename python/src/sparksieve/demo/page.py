# SPDX-License-Identifier: Apache-2.0
"""The page: one file without scripts or external resources, so it opens from a disk.

``templates/page.html.jinja`` is its structure; here are the values that it shows.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from sparksieve.demo import figures, plans
from sparksieve.demo.runner import CHANGED, Outcome, Side

Values = dict[str, Any]
"""What the template reads, by name."""


def render(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> str:
    """The whole page. Every text in it, from cases, plans and errors, is escaped."""
    environment = Environment(
        loader=PackageLoader("sparksieve.demo"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    longest = max((s.median for o in outcomes for s in (o.off, o.on) if s), default=1.0)
    cases = [_case(outcome, longest) for outcome in outcomes]
    features: dict[str, list[Values]] = {}
    for outcome, case in zip(outcomes, cases):
        features.setdefault(outcome.feature, []).append(case)
    runs = settings["Timed runs"]
    return environment.get_template("page.html.jinja").render(
        settings=settings,
        timed="the one timed run" if runs == "1" else f"medians of {runs} runs",
        tiles=_tiles(outcomes),
        features=features,
        columns=_columns(figures.HEADERS),
        cases=cases,
        results=results(outcomes, settings),
    )


def _tiles(outcomes: Sequence[Outcome]) -> list[Values]:
    ratios = [outcome.ratio for outcome in outcomes if outcome.ratio is not None]
    bad = sum(not outcome.ok for outcome in outcomes)
    both = [(o.off.work, o.on.work) for o in outcomes if o.off and o.on]
    rows = figures.moved(
        figures.count(sum(off.rows_read for off, _ in both)),
        figures.count(sum(on.rows_read for _, on in both)),
    )

    def tile(figure: str, label: str, kind: str = "tile") -> Values:
        return {"figure": figure, "label": label, "kind": kind}

    return [
        tile(
            figures.ratio(statistics.median(ratios)) if ratios else "none",
            "median speed-up of the changed plans (time off ÷ time on)",
        ),
        tile(f"{sum(o.status == CHANGED for o in outcomes)} of {len(outcomes)}", "plans changed"),
        tile(f"{bad} of {len(outcomes)}", "different rows, or failed", "tile bad")
        if bad
        else tile("equal", "rows off and on, every case compared"),
        tile(rows, "rows read by the scans, all cases, off → on"),
    ]


def _columns(texts: Sequence[str]) -> list[Values]:
    return [
        {"kind": "num" if i in figures.RIGHT else header, "text": text}
        for i, (header, text) in enumerate(zip(figures.HEADERS, texts))
    ]


def _case(outcome: Outcome, longest: float) -> Values:
    case, ratio, off, on = outcome.case, outcome.ratio, outcome.off, outcome.on
    return {
        "name": case.name,
        "title": case.title,
        "why": case.why,
        "status": outcome.status,
        "ok": outcome.ok,
        "kind": outcome.status if outcome.ok else "bad",
        "ratio": ratio and figures.ratio(ratio),
        "speed": _speed(ratio),
        "bars": [_bar("off", off, longest), _bar("on", on, longest)] if off and on else [],
        "cells": _columns([_unbroken(cell) for cell in figures.cells(outcome)]),
        "texts": {
            "Query": _lines(case.text()),
            "Set on both sides": _lines("\n".join(f"{k} = {v}" for k, v in case.conf.items())),
            "Sieve's report": _lines("\n".join(on.notes) if on else ""),
            "Error": _lines(outcome.error),
        },
        "plans": {
            "optimized": _pair(off.plans.optimized, on.plans.optimized),
            "physical": _pair(off.plans.physical, on.plans.physical),
        }
        if off and on
        else None,
    }


def _unbroken(text: str) -> str:
    # Lines break between the parts of a plan change, not inside one.
    return text.replace(" ", "\xa0").replace(",\xa0", ", ")


def _speed(ratio: float | None) -> str:
    if ratio is None or ratio >= 1.05:
        return "ratio"
    return "ratio slower" if ratio < 0.95 else "ratio low"


def _bar(kind: str, side: Side, longest: float) -> Values:
    part = f"{side.median / longest:.4f}"
    return {"side": kind, "part": part, "time": figures.seconds(side.median)}


def _lines(text: str) -> list[Values]:
    return [_line(line) for line in text.splitlines()]


def _line(text: str, kind: str = "same") -> Values:
    # The indentation of the line, so that wrapped text continues below its own beginning.
    return {"text": text, "kind": kind, "indent": len(text) - len(text.lstrip(" :+-"))}


def _pair(off: str, on: str) -> dict[str, list[Values]]:
    left, right = plans.marked(off, on)
    return {
        "off": [_line(line, "gone" if only else "same") for line, only in left],
        "on": [_line(line, "new" if only else "same") for line, only in right],
    }


def results(outcomes: Sequence[Outcome], settings: Mapping[str, str]) -> Values:
    """The figures as plain values: what the page holds as JSON, and ``--json`` writes."""

    def side(measured: Side | None) -> Values | None:
        if measured is None:
            return None
        rows = measured.rows.rows
        return {"seconds": measured.seconds, "rows": rows, **asdict(measured.work)}

    return {
        "settings": dict(settings),
        "cases": [
            {
                "feature": outcome.feature,
                "name": outcome.case.name,
                "title": outcome.case.title,
                "status": outcome.status,
                "ratio": outcome.ratio,
                "error": outcome.error,
                "off": side(outcome.off),
                "on": side(outcome.on),
            }
            for outcome in outcomes
        ],
    }
