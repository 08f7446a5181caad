# SPDX-License-Identifier: Apache-2.0
"""What `./sbt cluster` says of rows, jobs and stages; no cluster is started here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cluster import compiled, processes, standalone, trials
from cluster.choice import chosen_cases, chosen_trials
from cluster.faults import FAULTS
from cluster.status import Figures, figures, finished, running
from cluster.trials import TRIALS
from cluster.verdict import (
    FAILED,
    LEFT_OUT,
    OK,
    TOO_LATE,
    Expected,
    Found,
    Verdict,
    judge,
    line,
    summary,
)
from said import brief, warning

ROWS = ["3", "17", "5", "1", "9"]


def verdict(fault: str, jobs: int = 2, **found: Any) -> Verdict:
    """The verdict on a query that needs two jobs without a fault."""
    values: dict[str, Any] = {"rows": ROWS, "figures": Figures(jobs), "struck": "yes", **found}
    return judge(FAULTS[fault], Expected(ROWS, 2), Found(**values))


def test_equal_rows_in_as_many_jobs_are_ok() -> None:
    assert verdict("none") == (OK, "2 jobs")
    assert verdict("decommissioned", jobs=1).status == OK


def test_other_rows_an_error_or_the_plan_without_sieve_fail_even_if_the_fault_was_late() -> None:
    other = verdict("killed", rows=["4", *ROWS[1:]], struck="")
    assert other.status == FAILED
    assert other.why.startswith("rows 4 instead of 3")
    assert verdict("killed", error="lost", struck="") == (FAILED, "lost")
    assert verdict("killed", changed=False, struck="").status == FAILED


def test_a_filter_that_is_left_out_fails_although_the_rows_are_right() -> None:
    log = (
        "16:08:24.606 WARN A: other\n"
        "16:08:24.606 WARN KeysSubqueryExec: Sieve could not collect keys (q); nothing.\n"
        "java.lang.IllegalArgumentException: Class is not registered\n"
        "\tat java.lang.Thread.run\n"
    )
    cause = "java.lang.IllegalArgumentException: Class is not registered"
    assert warning(log) == f"Sieve could not collect keys (q); nothing. | {cause}"
    assert warning(log.replace(cause, "16:08:25.000 WARN B: other")).endswith("nothing.")
    assert warning("16:08:24.606 WARN A: other\n") == ""
    assert verdict("none", warning="Sieve could not").status == FAILED


def test_one_more_job_fails() -> None:
    assert verdict("killed", jobs=3) == (FAILED, "3 jobs; without a fault 2 jobs")


def test_a_fault_that_did_not_strike_or_has_no_effect_is_too_late() -> None:
    assert verdict("killed", struck="").status == TOO_LATE
    assert verdict("killed").status == TOO_LATE
    assert verdict("killed", figures=Figures(2, failed=1)).status == OK
    assert verdict("tasks").status == TOO_LATE
    assert verdict("tasks", figures=Figures(2, failed=1)).status == OK
    assert verdict("speculation", figures=Figures(2, speculative=1)).status == OK
    assert verdict("shuffle", figures=Figures(2, attempts=1)).status == TOO_LATE
    assert verdict("shuffle", figures=Figures(2, attempts=1, fetches=1)).status == OK


def test_attempts_of_stages_need_a_reason() -> None:
    assert verdict("none", figures=Figures(2, attempts=1)).status == FAILED
    assert verdict("killed", figures=Figures(2, attempts=1)).status == OK
    assert verdict("killed", figures=Figures(2, attempts=1, unexplained=1)).status == FAILED


def stage(number: int, attempt: int = 0, **more: Any) -> dict[str, Any]:
    counts = {"numFailedTasks": 0, "numKilledTasks": 0}
    return {"stageId": number, "attemptId": attempt, "status": "COMPLETE", **counts, **more}


def test_figures_count_only_the_stages_of_the_jobs() -> None:
    jobs = [{"jobId": 7, "stageIds": [3, 4]}]
    lost = stage(4, status="FAILED", failureReason="org.apache.spark.shuffle.FetchFailedException")
    stages = [stage(2, 1), stage(3), lost, stage(3, 1), stage(4, 1, numFailedTasks=2)]
    found = figures(jobs, stages)
    assert found == Figures(1, attempts=2, failed=2, fetches=1)
    assert found.text() == "1 jobs, 2 more stage attempts, 1 failed fetches, 2 failed tasks"
    assert figures(jobs, [stage(3), stage(3, 1)]).unexplained == 1


def test_moments() -> None:
    started = {"numCompleteTasks": 0, "numActiveTasks": 2}
    middle = {"numCompleteTasks": 1, "numActiveTasks": 1}
    over = {"numCompleteTasks": 2, "numActiveTasks": 0}
    assert [running([s]) for s in (started, middle, over)] == [True, True, False]
    assert [finished([s]) for s in (started, middle, over)] == [False, True, False]


def test_lines() -> None:
    assert line("union", "killed", Verdict(OK, "2 jobs"), 1.25).split() == (
        ["union", "killed", "1.2", "s", "ok:", "2", "jobs"]
    )
    verdicts = [Verdict(OK, ""), Verdict(OK, ""), Verdict(FAILED, ""), Verdict(TOO_LATE, "")]
    assert summary(verdicts) == "2 passed, 1 failed, 1 too late"
    assert summary([*verdicts, Verdict(LEFT_OUT, "")]).endswith("too late, 1 left out")
    assert brief("Job aborted:\n\n  lost  task\n\tat java.lang.Thread.run\n") == (
        "Job aborted: | lost task"
    )


def test_choice_of_trials_and_cases() -> None:
    assert [t.name for t in chosen_trials("killed, kryo")] == ["killed", "kryo"]
    assert [t.name for t in chosen_trials("")] == list(TRIALS)
    with pytest.raises(ValueError, match="no fault burnt"):
        chosen_trials("burnt")
    assert chosen_cases(TRIALS["killed"], "union,bulk-c*") == ["bulk-cars", "union"]
    assert len(chosen_cases(TRIALS["jars"], "")) == 6
    assert chosen_cases(TRIALS["jars"], "union,intersect") == ["intersect"]
    assert "java-join" in chosen_cases(TRIALS["udf"], "")
    assert chosen_cases(TRIALS["udf"], "python-*") == [
        "python-except",
        "python-join",
        "python-filter",
    ]
    assert chosen_cases(TRIALS["udf"], "union") == []
    assert chosen_cases(TRIALS["none"], "python-join") == []
    with pytest.raises(ValueError, match="no case 'unoin'"):
        chosen_cases(TRIALS["none"], "unoin")


def test_ways_of_the_jar(tmp_path: Path) -> None:
    sieve, java = tmp_path / "sieve.jar", tmp_path / "java.jar"
    sieve.write_bytes(b"jar")

    def words(name: str) -> str:
        return " ".join(trials.submit_words(TRIALS[name], tmp_path, java, sieve))

    assert f"--jars {sieve}" in words("jars")
    assert f"--driver-class-path {java}:{sieve}" in words("classpath")
    assert f"--packages {compiled.coordinates()} --repositories file://" in words("packages")
    folder = tmp_path / "repository" / "io" / "sparksieve" / "sparksieve-cluster" / "1"
    assert sorted(file.suffix for file in folder.iterdir()) == [".jar", ".pom"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_processes_of_a_run_are_found_and_ended(tmp_path: Path) -> None:
    environ = {**os.environ, processes.MARK: str(tmp_path)}
    with subprocess.Popen(["sleep", "60"], env=environ, start_new_session=True) as process:
        while processes.marked(str(tmp_path)) != [process.pid]:
            assert process.poll() is None
        assert process.pid in processes.children(os.getpid())
        assert processes.executors(os.getpid()) == []
        processes.end(str(tmp_path))
        assert process.wait() != 0
    assert processes.marked(str(tmp_path)) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")
def test_workers_have_hosts_of_their_own() -> None:
    hosts = [standalone.worker_host(number) for number in range(standalone.WORKERS)]
    assert len({*hosts, standalone.HOST}) == standalone.WORKERS + 1


def test_parent_of_a_process_with_an_odd_name() -> None:
    assert processes.parent_of("12 (a) b (c)) S 7 12 12 0") == 7
