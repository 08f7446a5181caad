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
    REFERENCE,
    Setup,
    begun,
    compare_rows,
    entry,
    passed,
    rows_file,
    say,
    write,
)
from .texts import dialect, unlimited

# The folder of the rows that texts with their LIMIT return.
LIMITED = "limited"


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
        {
            "name": name,
            "sql": dialect(sql, kind.family),
            "rows": str(rows_file(setup, kind.name, name, LIMITED)),
            "clock": True,
        }
        for name, sql in setup.texts.items()
        if "error" not in report["queries"][name]["engines"].get(kind.name, {})
    ]
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
    for engine in (BY_NAME[REFERENCE], kind):
        queries = [
            {
                "name": name,
                "sql": dialect(unlimited(setup.texts[name]), engine.family),
                "rows": str(rows_file(setup, engine.name, name)),
                "clock": False,
            }
            for name in names
            if engine is kind or not rows_file(setup, engine.name, name).is_file()
        ]
        for found in passed(setup, report, engine, queries):
            if "error" in found:
                names.remove(found["query"])
    for name in names:
        compare_rows(setup, report, kind, name)
