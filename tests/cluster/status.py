# SPDX-License-Identifier: Apache-2.0
"""What Spark says of its jobs and stages, from the REST service of the driver's web UI.

Other than the driver's objects, it can be read while a query runs, from any thread.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

Found = list[dict[str, Any]]


@dataclass(frozen=True)
class Figures:
    """What one query needed.

    ``attempts`` counts the attempts of stages after their first; ``unexplained`` those of them
    that follow no failed attempt, neither of the stage nor of one that reads it. ``failed``,
    ``killed`` and ``speculative`` count tasks, ``fetches`` attempts that could not fetch.
    """

    jobs: int
    attempts: int = 0
    failed: int = 0
    killed: int = 0
    speculative: int = 0
    fetches: int = 0
    unexplained: int = 0

    def text(self) -> str:
        """The figures as they are printed: jobs always, the others unless they are 0."""
        words = {
            "attempts": "more stage attempts",
            "fetches": "failed fetches",
            "failed": "failed tasks",
            "killed": "killed tasks",
            "speculative": "speculative tasks",
        }
        values = asdict(self)
        more = [f"{values[key]} {word}" for key, word in words.items() if values[key]]
        return ", ".join([f"{self.jobs} jobs", *more])


def figures(jobs: Found, stages: Found, speculative: int = 0) -> Figures:
    """The figures of the query that ran these jobs, from the stages of the application."""
    ids = {stage for job in jobs for stage in job["stageIds"]}
    own = [stage for stage in stages if stage["stageId"] in ids]
    again = [stage for stage in own if stage["attemptId"] > 0]
    broken = [stage for stage in own if stage["status"] == "FAILED"]
    return Figures(
        jobs=len(jobs),
        attempts=len(again),
        failed=sum(stage["numFailedTasks"] for stage in own),
        killed=sum(stage["numKilledTasks"] for stage in own),
        speculative=speculative,
        fetches=sum("FetchFailed" in stage.get("failureReason", "") for stage in broken),
        # A stage runs again after its own fetch failed, or as the source of what was not fetched.
        unexplained=0 if broken else len(again),
    )


class Status:
    """The REST service of one application."""

    def __init__(self, url: str, application: str) -> None:
        self.root = f"{url}/api/v1/applications/{application}"

    def jobs(self, first: int = 0) -> Found:
        """The jobs with this id or a greater one, in the order of their ids."""
        found = [job for job in self._get("jobs") if job["jobId"] >= first]
        return sorted(found, key=lambda job: int(job["jobId"]))

    def active(self) -> Found:
        """The attempts of stages that run now."""
        return self._get("stages?status=active")

    def figures(self, first: int) -> Figures:
        """The figures of the jobs with this id or a greater one; they must have ended."""
        jobs = self.jobs(first)
        ids = {stage for job in jobs for stage in job["stageIds"]}
        stages = [stage for stage in self._get("stages") if stage["stageId"] in ids]
        return figures(jobs, stages, sum(map(self._speculative, stages)))

    def executors(self) -> int:
        """The number of executors that are connected."""
        return len([e for e in self._get("executors") if e["id"] != "driver" and e["isActive"]])

    def _speculative(self, stage: dict[str, Any]) -> int:
        if not stage["numCompleteTasks"] + stage["numFailedTasks"] + stage["numKilledTasks"]:
            return 0
        path = f"stages/{stage['stageId']}/{stage['attemptId']}/taskList?length=1000"
        return sum(bool(task["speculative"]) for task in self._get(path))

    def _get(self, path: str) -> Found:
        with urllib.request.urlopen(f"{self.root}/{path}", timeout=30) as answer:  # noqa: S310
            found: Found = json.load(answer)
            return found


def finished(stages: Iterable[dict[str, Any]]) -> bool:
    """Whether one of these stages has a task that ended and another that runs."""
    return any(s["numCompleteTasks"] > 0 and s["numActiveTasks"] > 0 for s in stages)


def running(stages: Iterable[dict[str, Any]]) -> bool:
    """Whether one of these stages has a task that runs."""
    return any(s["numActiveTasks"] > 0 for s in stages)
