# SPDX-License-Identifier: Apache-2.0
"""Starts workers, gives them queries, and survives the queries that they do not."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from child import Child

from .worker import MARK

# Seconds that a process may take to start, on a machine with other work, and to end.
START = 300
PATIENCE = 60


class Place(NamedTuple):
    """Where and how workers run.

    `python` is the interpreter; `timeout` is the number of seconds for a query.
    """

    python: str
    log: Path
    timeout: float


def results(place: Place, task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the versions, and then a result for each query of the task, in order.

    A query that takes too long or ends its process gets a result with an error, and a new process
    runs the rest.
    """
    left = list(task["queries"])
    told = False
    while left or not told:
        worker = Worker(place, {**task, "queries": left})
        try:
            first = worker.next(max(place.timeout, START))
            if "version" not in first:
                raise SystemExit(f"{task['engine']} did not start: see {place.log}.")
            if not told:
                yield first
                told = True
            while left:
                found = worker.next(place.timeout)
                query = left.pop(0)
                yield {"query": query["name"], **found}
                if found.get("ended"):
                    break
        finally:
            worker.end()


class Worker:
    """A process that runs one engine."""

    def __init__(self, place: Place, task: dict[str, Any]) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "SPARK_HOME"}
        package = Path(__file__).resolve().parent
        environment["PYTHONPATH"] = str(package.parent)
        words = [place.python, "-m", "peers.worker"]
        self.child = Child(words, task, MARK, place.log, environment, place.log.parent)

    def next(self, seconds: float) -> dict[str, Any]:
        """The next result; one with `ended` if there is none."""
        try:
            return self.child.answer(seconds)
        except TimeoutError:
            self._stop()
            return {"error": f"not finished after {seconds:g} s", "ended": True}
        except EOFError:
            return {"error": "the process ended: out of memory, or a crash", "ended": True}

    def end(self) -> None:
        """Waits for the process and its children, and stops them if they stay."""
        deadline = time.monotonic() + PATIENCE
        while self._alive() and time.monotonic() < deadline:
            time.sleep(0.1)
        self._stop()
        self.child.process.wait()
        self.child.log.close()

    def _stop(self) -> None:
        if self._alive():
            os.killpg(self.child.process.pid, signal.SIGKILL)

    def _alive(self) -> bool:
        self.child.process.poll()
        try:
            os.killpg(self.child.process.pid, 0)
        except ProcessLookupError:
            return False
        return True
