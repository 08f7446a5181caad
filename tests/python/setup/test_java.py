# SPDX-License-Identifier: Apache-2.0
"""Java: missing, broken, too old, right."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparksieve import JavaNotFoundError
from sparksieve._setup.java import java_tested, require_java
from support import write_java


def test_no_java_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JavaNotFoundError, match=r"There is no java.*Install a JDK"):
        require_java("4.3")


def test_a_java_home_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(JavaNotFoundError, match="Correct or unset JAVA_HOME") as caught:
        require_java("4.3")
    assert str(tmp_path) in str(caught.value)


def test_a_java_that_does_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = write_java(tmp_path / "java", "17.0.1")
    (home / "bin" / "java").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    monkeypatch.setenv("JAVA_HOME", str(home))
    with pytest.raises(JavaNotFoundError, match="-version failed: broken"):
        require_java("4.3")


@pytest.mark.parametrize(
    ("version", "line", "major"),
    [("17.0.15", "4.3", 17), ("21", "4.0", 21), ("1.8.0_412", "3.5", 8), ("11.0.2", "3.5", 11)],
)
def test_the_javas_that_spark_takes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, line: str, major: int
) -> None:
    home = write_java(tmp_path / "java", version)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert require_java(line) == (str(home / "bin" / "java"), major)


@pytest.mark.parametrize(
    ("version", "line", "needs"),
    [("11.0.2", "4.0", 17), ("1.8.0_412", "4.3", 17), ("1.7.0", "3.5", 8)],
)
def test_a_java_too_old_for_the_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, line: str, needs: int
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(write_java(tmp_path / "java", version)))
    with pytest.raises(JavaNotFoundError, match=f"Spark {line} needs Java {needs} or newer"):
        require_java(line)


def test_which_javas_spark_names() -> None:
    assert java_tested("3.5", 11)
    assert not java_tested("3.5", 21)
    assert java_tested("4.3", 21)
