# SPDX-License-Identifier: Apache-2.0
"""Measures every engine in one pass: `bench peers --once`, for suites that take hours.

The run with a clock is also the one whose rows are compared and whose reads are counted. It keeps
the last LIMIT of a text, which may choose among ties: a query whose rows differ from the
reference's runs again without it, in both engines, before its rows count as others.
"""

from __future__ import annotations

from typing import Any

from .compare import OTHER
from .engines import BY_NAME, Kind
from .rounds import (
    AGAIN,
    LIMITED,
    REFERENCE,
    WHOLE,
    Setup,
    begun,
    compare_rows,
    entry,
    passed,
    rows_file,
    rows_query,
    say,
    write,
)


def measure(setup: Setup) -> dict[str, Any]:
    """The report of one layout; it is written after each engine."""
    setup.work.mkdir(parents=True, exist_ok=True)
    report = begun(setup)
    for _ in range(setup.runs):
        for kind in setup.engines:
            say(setup, f"{kind.name}: seconds, rows and reads")
            once(setup, report, kind)
            settle(setup, report, kind)
            write(setup, report)
    return report


def once(setup: Setup, report: dict[str, Any], kind: Kind) -> None:
    """Runs the queries with a clock, and compares their rows."""
    queries = [
        rows_query(setup, kind, name, LIMITED, clock=True)
        for name in setup.texts
        if "error" not in report["queries"][name]["engines"].get(kind.name, {})
    ]
    if kind.name not in (REFERENCE, AGAIN):
        # They are missing if the report was begun elsewhere.
        names = [
            query["name"]
            for query in queries
            if "rows" in report["queries"][query["name"]]["engines"].get(REFERENCE, {})
        ]
        collect(setup, report, BY_NAME[REFERENCE], missing(setup, names, LIMITED), LIMITED)
    for found in passed(setup, report, kind, queries):
        place = entry(report, found, kind)
        if "error" in found:
            place["error"] = found["error"]
            continue
        runs = place.setdefault("runs", [])
        runs.append({"round": len(runs) + 1, **found["run"]})
        if kind.name != AGAIN:
            place.update({k: v for k, v in found.items() if k not in ("query", "run")})
            compare_rows(setup, report, kind, found["query"], LIMITED)


def settle(setup: Setup, report: dict[str, Any], kind: Kind) -> None:
    """Compares without LIMIT the queries whose rows differ with it."""
    names = [
        name
        for name, query in report["queries"].items()
        if name in setup.texts
        and query["limit"]
        and query["engines"].get(kind.name, {}).get("compared") == OTHER
    ]
    failed = collect(setup, report, BY_NAME[REFERENCE], missing(setup, names, WHOLE), WHOLE)
    failed += collect(setup, report, kind, [n for n in names if n not in failed], WHOLE)
    for name in names:
        if name not in failed:
            compare_rows(setup, report, kind, name)


def missing(setup: Setup, names: list[str], folder: str) -> list[str]:
    """The queries of which the reference's rows are not there."""
    return [name for name in names if not rows_file(setup, REFERENCE, name, folder).is_file()]


def collect(
    setup: Setup, report: dict[str, Any], kind: Kind, names: list[str], folder: str
) -> list[str]:
    """Runs queries for their rows alone, and returns the names of those that fail."""
    queries = [rows_query(setup, kind, name, folder) for name in names]
    found = passed(setup, report, kind, queries)
    return [result["query"] for result in found if "error" in result]
