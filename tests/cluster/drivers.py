# SPDX-License-Identifier: Apache-2.0
"""Starts a driver for a trial, reads its results, and survives a driver that hangs or dies."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from child import Child

from .standalone import Cluster, environment
from .trials import Trial, submit_words
from .verdict import FAILED, MARK, Expected, Verdict

# Seconds for a driver to start and to write the data, on a machine with other work.
START = 280.0


@dataclass(frozen=True)
class Setup:
    """What all drivers of a run have in common; ``timeout`` is the seconds for a query."""

    cluster: Cluster
    home: Path
    python: str
    java: Path
    sieve: Path
    rows: int
    timeout: float


@dataclass(frozen=True)
class Result:
    """The result of a case; ``expected`` is what later trials compare with."""

    case: str
    verdict: Verdict
    seconds: float = 0.0
    expected: Expected | None = None


def results(
    setup: Setup, trial: Trial, cases: Sequence[str], expected: dict[str, Expected]
) -> Iterator[Result]:
    """Yields a result for each case, in order.

    A query that takes too long or ends its driver has failed, and a new driver runs the rest.
    """
    left = list(cases)
    while left:
        driver = _Process(setup, trial, left, expected)
        try:
            problem = driver.ready()
            while left:
                found: dict[str, Any] = {"problem": problem} if problem else driver.next()
                case = left.pop(0)
                if "problem" in found:
                    yield Result(case, Verdict(FAILED, found["problem"]))
                    break
                known = Expected(*found["expected"]) if found["expected"] else None
                yield Result(case, Verdict(*found["verdict"]), found["seconds"], known)
        finally:
            # After an error or Ctrl-C it is still at work, and is not waited for.
            driver.end(patience=0 if left else 20)


class _Process:
    """A driver in a process of its own."""

    def __init__(
        self, setup: Setup, trial: Trial, cases: list[str], expected: dict[str, Expected]
    ) -> None:
        self.timeout = setup.timeout
        self.log_path = setup.home / "log" / f"driver-{trial.name}.log"
        environ = environment(setup.home, setup.python)
        submitted = submit_words(trial, setup.home, setup.java, setup.sieve)
        environ["PYSPARK_SUBMIT_ARGS"] = shlex.join(submitted)
        task = {
            "trial": trial.name,
            "cases": cases,
            "expected": expected,
            "workers": setup.cluster.workers,
            "master": setup.cluster.master,
            "home": str(setup.home),
            "rows": setup.rows,
            "log": str(self.log_path),
        }
        words = [setup.python, "-m", f"{__package__}.driver"]
        self.child = Child(words, task, MARK, self.log_path, environ)

    def ready(self) -> str:
        """Waits for the session; returns why there is none, or nothing."""
        found = self._message(START)
        return str(found.get("problem", ""))

    def next(self) -> dict[str, Any]:
        """The next result, or one with a `problem`."""
        step = "the first query"
        while True:
            found = self._message(self.timeout)
            if "problem" in found:
                return {"problem": f"{step}: {found['problem']}"}
            if "case" in found:
                return found
            step = found["step"]

    def _message(self, seconds: float) -> dict[str, Any]:
        try:
            return self.child.answer(seconds)
        except TimeoutError:
            return {"problem": f"no answer after {seconds:g} s"}
        except EOFError:
            self.child.log.flush()
            last = self.log_path.read_text(errors="replace").strip().splitlines()[-1:]
            return {"problem": f"the driver ended; its last line: {' '.join(last)[:300]}"}

    def end(self, patience: float) -> None:
        """Waits some seconds for the driver, then ends it and its JVM."""
        with suppress(subprocess.TimeoutExpired):
            self.child.process.wait(patience)
        with suppress(ProcessLookupError):
            os.killpg(self.child.process.pid, signal.SIGKILL)
        self.child.process.wait()
        self.child.log.close()
