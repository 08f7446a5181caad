# SPDX-License-Identifier: Apache-2.0
"""One engine in a process of its own: reads its task from standard input, prints a JSON a query.

A line that begins with RESULT is a result; everything else is the engine's own output.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from .engines import BY_NAME, Engine, Kind, Limits, Row, Scanned
from .process import used
from .rowfiles import write

MARK = "RESULT "


def session(task: dict[str, Any]) -> Engine:
    """The engine's session over the task's tables."""
    kind: Kind = BY_NAME[task["engine"]]
    limits = Limits(task["memory"], task["threads"])
    if kind.family == "spark":
        from .engines.spark import Spark

        return Spark(kind, limits, task["tables"], task["jars"])
    if kind.family == "duckdb":
        from .engines.duck import Duck

        return Duck(limits, task["tables"])
    from .engines.fusion import Fusion

    return Fusion(limits, task["tables"])


def checked(engine: Engine, query: dict[str, Any]) -> dict[str, Any]:
    """Runs a query for its rows and for what it reads."""
    before = used(engine.processes())
    rows, scanned = engine.counted(query["sql"])
    read = used(engine.processes()).since(before).read
    write(Path(query["rows"]), rows)
    return reads(rows, scanned, read)


def timed(engine: Engine, query: dict[str, Any], warm: int) -> dict[str, Any]:
    """Runs a query `warm` times, and once more with a clock; keeps rows and reads on request."""
    for _ in range(warm):
        engine.run(query["sql"])
    gc.collect()
    load = os.getloadavg()[0]
    mark = engine.mark() if "rows" in query else None
    before, start = used(engine.processes()), time.perf_counter()
    rows = engine.run(query["sql"])
    wall = time.perf_counter() - start
    found = used(engine.processes()).since(before)
    run = {
        "wall": round(wall, 4),
        "cpu": round(found.cpu, 2),
        "load": round(load, 2),
        # Cores that other processes kept busy meanwhile.
        "others": round(max(0.0, found.machine - found.cpu) / wall, 2),
    }
    if "rows" not in query:
        return run
    write(Path(query["rows"]), rows)
    return {**reads(rows, engine.scanned(mark), found.read), "run": run}


def reads(rows: list[Row], scanned: Scanned, read: int) -> dict[str, Any]:
    """How many rows a query has, and what it read."""
    return {
        "rows": len(rows),
        "input_bytes": scanned.bytes,
        "input_rows": scanned.rows,
        "read_bytes": read,
    }


def main() -> None:
    """Runs the queries of the task in turn; one that fails does not stop the others."""
    task = json.loads(sys.stdin.readline())
    engine = session(task)
    try:
        if task["warm_up"]:
            engine.run(task["warm_up"])
        print(MARK + json.dumps({"version": engine.version()}), flush=True)
        for query in task["queries"]:
            try:
                if query["clock"]:
                    found = timed(engine, query, task["warm"])
                else:
                    found = checked(engine, query)
            except Exception as error:
                traceback.print_exc()
                found = {"error": brief(error)}
            print(MARK + json.dumps({"query": query["name"], **found}), flush=True)
    finally:
        engine.close()


def brief(error: Exception) -> str:
    """The first lines of an error."""
    text = f"{type(error).__name__}: {error}".strip()
    return " ".join(text.split())[:300]


if __name__ == "__main__":
    main()
