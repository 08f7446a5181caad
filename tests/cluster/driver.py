# SPDX-License-Identifier: Apache-2.0
"""The driver of one trial, in a process of its own: runs the cases, and prints a JSON for each.

It reads its task from standard input. A line that begins with RESULT is for the program that
started it; everything else is output of Spark.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from pyspark.sql import SparkSession
from said import brief, warning

from sparksieve import is_active
from sparksieve.demo import cases, plans
from sparksieve.demo.case import Case, Tables
from sparksieve.demo.fingerprint import fingerprint
from sparksieve.demo.runner import SWITCH, settings

from . import processes, udfs
from .faults import TURNS, Scene
from .status import Figures, Status
from .tables import tables
from .trials import SETTINGS, TRIALS
from .verdict import (
    FAILED,
    LEFT_OUT,
    MARK,
    TOO_LATE,
    Expected,
    Found,
    Verdict,
    judge,
)

# Seconds until both workers have an executor again.
EXECUTORS = 100.0


def say(**message: Any) -> None:
    """Prints a message for the program that started this one."""
    print(MARK + json.dumps(message), flush=True)


class Driver:
    """A session on the cluster, and the data."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.trial = TRIALS[task["trial"]]
        self.log = Path(task["log"])
        self.workers = tuple(task["workers"])
        builder = SparkSession.builder.master(task["master"]).appName(f"cluster {self.trial.name}")
        for key, value in {**SETTINGS, **self.trial.conf}.items():
            builder = builder.config(key, value)
        self.spark: SparkSession = builder.getOrCreate()
        if not is_active(self.spark):
            raise RuntimeError("the Sieve extension is not active in the session")
        # Only py4j gives these, as in the demo.
        self.context: Any = self.spark.sparkContext._jsc.sc()
        self.status = Status(str(self.context.uiWebUrl().get()), str(self.context.applicationId()))
        self.tables = tables(self.spark, Path(task["home"]), task["rows"])
        udfs.register(self.spark)

    def reference(self, case: Case) -> Expected:
        """The rows without Sieve, and the jobs with Sieve, without a fault."""
        say(step=f"{case.name} without Sieve")
        with settings(self.spark, {SWITCH: "false"}):
            rows = texts(fingerprint(case.build(self.spark, self.tables, False)))
        say(step=f"{case.name} with Sieve")
        with settings(self.spark, {SWITCH: "true"}):
            query = case.build(self.spark, self.tables)
            make_cold(self.tables)
            first = self._next_job()
            fingerprint(query)
        return Expected(rows, self._figures(first).jobs)

    def under_fault(self, case: Case, expected: Expected, turn: int) -> Found:
        """Runs the query with Sieve, and the fault beside it."""
        fault = self.trial.fault
        self._whole()
        changed = self._changed(case)
        with settings(self.spark, {SWITCH: "true"}):
            query = case.build(self.spark, self.tables)
            make_cold(self.tables)
            first = self._next_job()
            scene = Scene(self.workers, self.status, first, turn, expected.jobs * fault.late)
            beside = threading.Thread(target=_strike, args=(fault.strike, scene))
            say(step=f"{case.name} under the fault, turn {turn + 1}")
            rows, error, logged = [""], "", self.log.stat().st_size
            beside.start()
            try:
                rows = texts(fingerprint(query))
            except Exception as failed:
                traceback.print_exc()
                error = brief(str(failed)) or type(failed).__name__
            finally:
                scene.ended.set()
                beside.join()
        self._left(scene.leaving)
        with self.log.open("rb") as log:
            log.seek(logged)
            warned = warning(log.read().decode(errors="replace"))
        return Found(rows, self._figures(first), changed, scene.struck, error, warned)

    def run(self, case: Case, expected: Expected) -> Verdict:
        """The verdict on a case, from the first turn in which the fault came in time."""
        verdict = Verdict(TOO_LATE, "")
        for turn in range(TURNS if self.trial.fault.moves else 1):
            verdict = judge(self.trial.fault, expected, self.under_fault(case, expected, turn))
            if verdict.status != TOO_LATE:
                break
        return verdict

    def left_out(self, case: Case) -> str:
        """Why the trial leaves the case out, or nothing."""
        if self.trial.files and not case.build(self.spark, self.tables).inputFiles():
            return "it reads no files"
        failed = self._alone(case) if self.trial.own else ""
        return f"Spark itself: {failed}" if failed else ""

    def _alone(self, case: Case) -> str:
        """The error of the query without Sieve under the settings of the trial, or nothing."""
        say(step=f"{case.name} without Sieve")
        try:
            with settings(self.spark, {SWITCH: "false"}):
                fingerprint(case.build(self.spark, self.tables, False))
        except Exception as failed:
            traceback.print_exc()
            return brief(str(failed)) or type(failed).__name__
        return ""

    def _changed(self, case: Case) -> bool:
        found = []
        for on in (False, True):
            with settings(self.spark, {SWITCH: str(on).lower()}):
                found.append(plans.plans(case.build(self.spark, self.tables, on)))
        return plans.changed(*found)

    def _next_job(self) -> int:
        self.context.listenerBus().waitUntilEmpty()
        return max((int(job["jobId"]) for job in self.status.jobs()), default=-1) + 1

    def _figures(self, first: int) -> Figures:
        self.context.listenerBus().waitUntilEmpty()
        return self.status.figures(first)

    def _left(self, executor: int | None) -> None:
        """Waits until an executor has ended, so that the next query does not meet it."""
        say(step="waiting for an executor to end")
        deadline = time.monotonic() + EXECUTORS
        while executor is not None and processes.alive(executor):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the executor did not end in {EXECUTORS:g} s")
            time.sleep(0.2)

    def _whole(self) -> None:
        """Waits until each worker has one executor, and all are connected."""
        say(step="waiting for executors")
        deadline = time.monotonic() + EXECUTORS
        while time.monotonic() < deadline:
            counts = [len(processes.executors(worker)) for worker in self.workers]
            if set(counts) == {1} and self.status.executors() == len(counts):
                return
            time.sleep(0.2)
        raise RuntimeError(f"the cluster has not two executors after {EXECUTORS:g} s: {counts}")


def _strike(strike: Any, scene: Scene) -> None:
    try:
        strike(scene)
    except Exception:
        # The fault did not strike, which the verdict says; the reason is in the log.
        traceback.print_exc()


def make_cold(found: Tables) -> None:
    """Makes Sieve load the files of values anew, so that each run needs the same jobs.

    Their values are kept as long as the files are the same, and here they get a new time.
    """
    now = time.time_ns()
    for file in Path(unquote(urlparse(found.filters).path)).rglob("*.parquet"):
        os.utime(file, ns=(now, now))


def texts(found: Any) -> list[str]:
    """A fingerprint as texts, which JSON keeps."""
    return [str(value) for value in (found.rows, found.wide, found.narrow, found.low, found.high)]


def main() -> None:
    """Runs the cases of the task in turn; one that fails does not stop the others."""
    task = json.loads(sys.stdin.readline())
    known = [*(case for found in cases.discover().values() for case in found), *udfs.CASES]
    by_name = {case.name: case for case in known}
    driver = Driver(task)
    try:
        say(ready=driver.spark.version)
        for name in task["cases"]:
            case, begun = by_name[name], time.monotonic()
            expected = None
            with settings(driver.spark, case.conf):
                try:
                    reason = driver.left_out(case)
                    if reason:
                        verdict = Verdict(LEFT_OUT, reason)
                    else:
                        before = task["expected"].get(name)
                        expected = Expected(*before) if before else driver.reference(case)
                        verdict = driver.run(case, expected)
                except Exception as failed:
                    traceback.print_exc()
                    verdict = Verdict(FAILED, brief(str(failed)) or type(failed).__name__)
            say(case=name, verdict=verdict, expected=expected, seconds=time.monotonic() - begun)
    finally:
        driver.spark.stop()


if __name__ == "__main__":
    main()
