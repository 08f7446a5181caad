# SPDX-License-Identifier: Apache-2.0
"""Measures the engines on one layout of a suite: a pass for the rows, then rounds with a clock."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from . import compare, rowfiles
from .engines import Kind
from .tables import LAYOUTS, Suite
from .texts import dialect, unlimited
from .workers import Place, results

# Loads classes and compiles code before the first query that is measured.
WARM_UP = {
    "tpch": "SELECT n_name, count(*) FROM supplier, nation WHERE s_nationkey = n_nationkey "
    "GROUP BY n_name ORDER BY n_name",
    "tpcds": "SELECT i_category, count(*) FROM item, promotion WHERE p_item_sk = i_item_sk "
    "GROUP BY i_category ORDER BY i_category",
}

# The engine whose rows are expected of the others.
REFERENCE = "spark"
AGAIN = "spark-again"

# The folders of rows: without the last LIMIT of a text, and with it.
WHOLE, LIMITED = "rows", "limited"


class Setup(NamedTuple):
    """What is measured, and how."""

    suite: Suite
    scale: float
    layout: str
    engines: list[Kind]
    texts: dict[str, str]
    runs: int
    warm: int
    memory: int
    threads: int
    timeout: float
    jars: dict[str, str]
    spark_python: str
    python: str
    home: Path
    work: Path
    out: Path
    add: bool
    once: bool

    @property
    def path(self) -> Path:
        """The result's file."""
        return self.out / f"{self.name}.json"

    @property
    def name(self) -> str:
        """The name of the result's file."""
        return f"peers-{self.suite.name}-{self.scale:g}-{self.layout}"

    def files(self) -> dict[str, list[str]]:
        """The Parquet files of each table."""
        found = {}
        for table in self.suite.tables:
            folder = self.home / (self.layout if table in self.suite.dates else "common") / table
            found[table] = sorted(str(file) for file in folder.glob("*.parquet"))
        return found


def measure(setup: Setup) -> dict[str, Any]:
    """The report of one layout; it is written after each pass of an engine."""
    setup.work.mkdir(parents=True, exist_ok=True)
    report = begun(setup)
    for kind in setup.engines:
        if kind.name != AGAIN:
            check(setup, report, kind)
    earlier = last_round(report)
    for number in range(earlier + 1, earlier + 1 + setup.runs):
        # Each round begins with another engine.
        start = (number - 1) % len(setup.engines)
        for kind in setup.engines[start:] + setup.engines[:start]:
            time(setup, report, kind, number)
    return report


def check(setup: Setup, report: dict[str, Any], kind: Kind) -> None:
    """Collects an engine's rows and what it reads, of the queries for which they are missing."""
    queries = [
        rows_query(setup, kind, name)
        for name in setup.texts
        if is_missing(setup, report["queries"][name]["engines"], kind, name)
    ]
    if queries:
        say(setup, f"{kind.name}: rows and reads")
        for found in passed(setup, report, kind, queries):
            place = entry(report, found, kind)
            place.update(found)
            compare_rows(setup, report, kind, found["query"])
            place.pop("query")
        write(setup, report)


def is_missing(setup: Setup, engines: dict[str, Any], kind: Kind, name: str) -> bool:
    """Whether the rows of a query are to be collected.

    Those of the reference are, too, if the report was begun elsewhere and another engine's rows are
    to be compared with them.
    """
    if kind.name not in engines:
        return True
    if kind.name != REFERENCE or rows_file(setup, REFERENCE, name).is_file():
        return False
    return any(other.name not in engines for other in setup.engines if other.name != AGAIN)


def time(setup: Setup, report: dict[str, Any], kind: Kind, number: int) -> None:
    """Times the queries that an engine can run."""
    say(setup, f"{kind.name}: round {number}")
    engine = REFERENCE if kind.name == AGAIN else kind.name
    queries = [
        {"name": name, "sql": dialect(sql, kind.family), "clock": True}
        for name, sql in setup.texts.items()
        if "error" not in report["queries"][name]["engines"].get(engine, {})
    ]
    for found in passed(setup, report, kind, queries):
        place = entry(report, found, kind)
        if "error" in found:
            place["error"] = found["error"]
        else:
            run = {key: value for key, value in found.items() if key != "query"}
            place.setdefault("runs", []).append({"round": number, **run})
    write(setup, report)


def last_round(report: dict[str, Any]) -> int:
    """The number of rounds that a report has."""
    return max(
        (
            run["round"]
            for query in report["queries"].values()
            for found in query["engines"].values()
            for run in found.get("runs", [])
        ),
        default=0,
    )


def passed(setup: Setup, report: dict[str, Any], kind: Kind, queries: list[dict[str, Any]]) -> Any:
    """The results of one process of an engine, and its versions into the report."""
    if not queries:
        return
    python = setup.spark_python if kind.family == "spark" else setup.python
    place = Place(python, setup.work / f"{setup.name}-{kind.name}.log", setup.timeout)
    task = {
        "engine": kind.name,
        "memory": setup.memory,
        "threads": setup.threads,
        "tables": setup.files(),
        "jars": setup.jars,
        "warm": setup.warm,
        "warm_up": WARM_UP[setup.suite.name],
        "queries": queries,
    }
    for found in results(place, task):
        if "version" in found:
            report["versions"].update(found["version"])
        else:
            if "error" in found:
                print(f"    {kind.name} {found['query']}: {found['error']}", flush=True)
            yield found


def begun(setup: Setup) -> dict[str, Any]:
    """A report without results, or the one to add to.

    :raises SystemExit: the report has been measured with other settings.
    """
    report = empty(setup)
    if not (setup.add and setup.path.is_file()):
        return report
    earlier: dict[str, Any] = json.loads(setup.path.read_text(encoding="utf-8"))
    for part in ("settings", "tables"):
        if earlier[part] != report[part]:
            raise SystemExit(f"{setup.path} has other {part}: measure without --add.")
    earlier["engines"] |= report["engines"]
    for name, query in report["queries"].items():
        earlier["queries"].setdefault(name, query)
    return earlier


def empty(setup: Setup) -> dict[str, Any]:
    """A report without results."""
    files = setup.files()
    return {
        "suite": setup.suite.name,
        "scale": setup.scale,
        "layout": setup.layout,
        "about": LAYOUTS[setup.layout],
        "settings": {
            "warm": setup.warm,
            "memory_gb": setup.memory,
            "threads": setup.threads,
            "cores": os.cpu_count(),
            "timeout_s": setup.timeout,
            **({"once": True} if setup.once else {}),
        },
        "versions": {},
        "tables": {
            table: {"files": len(found), "bytes": sum(os.path.getsize(file) for file in found)}
            for table, found in files.items()
        },
        "engines": {
            kind.name: {"about": kind.about, "confs": dict(kind.confs)} for kind in setup.engines
        },
        "queries": {
            name: {"limit": unlimited(sql) != sql, "engines": {}}
            for name, sql in setup.texts.items()
        },
    }


def entry(report: dict[str, Any], found: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """The place of a result in the report."""
    engines = report["queries"][found["query"]]["engines"]
    place: dict[str, Any] = engines.setdefault(kind.name, {})
    return place


def rows_file(setup: Setup, engine: str, query: str, folder: str = WHOLE) -> Path:
    """Where an engine's rows of a query are written."""
    return setup.work / folder / setup.name / engine / f"{query}.gz"


def rows_query(
    setup: Setup, kind: Kind, name: str, folder: str = WHOLE, *, clock: bool = False
) -> dict[str, Any]:
    """A query whose rows are kept; they are limited only in the folder of limited rows."""
    sql = setup.texts[name]
    return {
        "name": name,
        "sql": dialect(sql if folder == LIMITED else unlimited(sql), kind.family),
        "rows": str(rows_file(setup, kind.name, name, folder)),
        "clock": clock,
    }


def compare_rows(
    setup: Setup, report: dict[str, Any], kind: Kind, name: str, folder: str = WHOLE
) -> None:
    """Compares an engine's rows of a query with the reference's."""
    engines = report["queries"][name]["engines"]
    place = engines[kind.name]
    if kind.name == REFERENCE or "error" in place or "rows" not in engines.get(REFERENCE, {}):
        return
    place["compared"], what = compare.compare(
        rowfiles.read(rows_file(setup, REFERENCE, name, folder)),
        rowfiles.read(rows_file(setup, kind.name, name, folder)),
    )
    place.pop("differs", None)
    if what:
        place["differs"] = what[:500]
        print(f"    {kind.name} {name}: other rows: {what[:300]}", flush=True)


def write(setup: Setup, report: dict[str, Any]) -> None:
    """Writes the report, one line for each query and engine."""
    setup.out.mkdir(parents=True, exist_ok=True)
    queries = report["queries"]
    head = json.dumps({k: v for k, v in report.items() if k != "queries"}, indent=1)
    lines = [
        f'  "{name}": {{"limit": {json.dumps(query["limit"])}, "engines": {{\n'
        + ",\n".join(f'    "{e}": {json.dumps(found)}' for e, found in query["engines"].items())
        + "\n  }}"
        for name, query in queries.items()
    ]
    text = head.rstrip().removesuffix("}").rstrip() + ',\n "queries": {\n' + ",\n".join(lines)
    setup.path.write_text(text + "\n }\n}\n")


def say(setup: Setup, text: str) -> None:
    """A line of progress."""
    print(f"[{setup.name}] {text}", flush=True)
