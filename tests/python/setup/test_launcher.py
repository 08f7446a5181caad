# SPDX-License-Identifier: Apache-2.0
"""The launcher `./sbt`: its one-line errors with remedies, and the programs that it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support import ROOT


class Machine:
    """A folder with a copy of the launcher, and a PATH with only what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "repository"
        self.bin = folder / "bin"
        (self.repository / "project").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(ROOT / "sbt", self.repository / "sbt")
        shutil.copy(ROOT / "project" / "requirements.txt", self.repository / "project")
        for tool in ("sh", "sed", "dirname", "cmp", "cp", "ls", "find", "mkdir"):
            found = shutil.which(tool)
            assert found, f"{tool} is needed by the launcher"
            (self.bin / tool).symlink_to(found)

    def program(self, name: str, body: str, folder: Path | None = None) -> None:
        """Puts a shell script with this name on the PATH, or into another folder."""
        file = (folder or self.bin) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def java(self, version: str, folder: Path | None = None) -> None:
        self.program("java", f"echo 'openjdk version \"{version}\" 2025-01-21' >&2", folder)

    def python(self, version: str, name: str = "python3") -> None:
        """A fake Python that prints its version and fails at everything else."""
        self.program(name, f'case "$2" in *version_info*) echo {version} ;; *) exit 1 ;; esac')

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.repository / "sbt"), *words],
            env={"PATH": str(self.bin), **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def refusal(self, **environment: str) -> str:
        """The one line that a refused run prints."""
        done = self.run("compile", **environment)
        assert done.returncode == 1
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        return lines[0]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_no_java(machine: Machine) -> None:
    machine.python("3.11")
    assert machine.refusal() == (
        "sbt: no Java at 'java': "
        "install JDK 17 or 21 and put it on the PATH, or set JAVA_HOME to it."
    )


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.22", "16", "22.0.1", "25"])
def test_java_out_of_range(machine: Machine, version: str) -> None:
    machine.java(version)
    machine.python("3.11")
    message = machine.refusal()
    assert f"is Java {version}" in message
    assert "install JDK 17 or 21" in message


def test_java_that_does_not_run(machine: Machine) -> None:
    machine.program("java", "exit 1")
    assert "of unknown version" in machine.refusal()


def test_java_home_comes_before_the_path(machine: Machine, tmp_path: Path) -> None:
    machine.java("17.0.15")
    machine.java("11.0.22", tmp_path / "jdk" / "bin")
    message = machine.refusal(JAVA_HOME=str(tmp_path / "jdk"))
    assert str(tmp_path / "jdk" / "bin" / "java") in message
    assert "is Java 11.0.22" in message


def test_java_home_without_java(machine: Machine, tmp_path: Path) -> None:
    machine.java("17.0.15")
    assert f"no Java at '{tmp_path}/jdk/bin/java'" in machine.refusal(JAVA_HOME=f"{tmp_path}/jdk")


@pytest.mark.parametrize("version", ["17.0.15", "21", "21.0.2"])
def test_no_python(machine: Machine, version: str) -> None:
    machine.java(version)
    assert machine.refusal() == (
        "sbt: no Python that pyspark 4.3 runs on, 'python3' does not run: "
        "install Python 3.11 or newer as python3, or set PYTHON to one."
    )


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.9", "3.10"])
def test_old_python(machine: Machine, version: str) -> None:
    machine.java("17.0.15")
    machine.python(version)
    message = machine.refusal()
    assert f"'python3' is Python {version}" in message
    assert "install Python 3.11 or newer" in message


def test_newer_python_beside_an_old_one_is_found(machine: Machine) -> None:
    machine.java("17.0.15")
    machine.python("3.9")
    machine.python("3.12", name="python3.12")
    # The launcher gets as far as the virtual environment, which the fake Python cannot make.
    assert "'python3.12' cannot make virtual environments" in machine.run().stderr


def test_named_python_is_the_only_one_tried(machine: Machine) -> None:
    machine.java("17.0.15")
    machine.python("3.12")
    machine.python("3.9", name="old")
    assert "'old' is Python 3.9" in machine.refusal(PYTHON="old")


def test_python_without_ensurepip(machine: Machine) -> None:
    machine.java("17.0.15")
    machine.python("3.11")
    done = machine.run()
    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr.splitlines()[-1]


def ready(machine: Machine) -> None:
    """Sets up the files of a finished first run, with a Java that prints its arguments."""
    machine.program(
        "java",
        'if [ "$1" = -version ]; then echo \'openjdk version "17.0.15"\' >&2; exit; fi\n'
        'for word; do echo "[$word]"; done; echo "SPARK_HOME=${SPARK_HOME-unset}"',
    )
    machine.python("3.11")
    venv = machine.repository / ".venv"
    machine.program("python", 'echo "python $*"; echo "path $PYTHONPATH"', venv / "bin")
    shutil.copy(ROOT / "project" / "requirements.txt", venv / "requirements.stamp")
    launcher = machine.repository / ".cache" / "sbt" / "sbt-launch-1.11.7.jar"
    launcher.parent.mkdir(parents=True)
    launcher.touch()


def test_second_run_goes_straight_to_sbt(machine: Machine) -> None:
    ready(machine)
    done = machine.run("-Dspark.line=4.1", "compile", "testOnly *Foo", SPARK_HOME="/elsewhere")
    assert done.returncode == 0
    assert done.stderr == ""
    words = done.stdout.splitlines()
    assert words[-3:] == ["[compile]", "[testOnly *Foo]", "SPARK_HOME=unset"]
    assert words.index("[-Dspark.line=4.1]") < words.index("[-jar]")


def test_own_command_takes_the_words_after_it(machine: Machine) -> None:
    ready(machine)
    done = machine.run("bench", "setop", "--rows", "1000")
    assert "[bench setop --rows 1000]" in done.stdout.splitlines()


def test_own_command_in_one_word(machine: Machine) -> None:
    ready(machine)
    assert "[bench setop]" in machine.run("bench setop").stdout.splitlines()


@pytest.fixture
def built(machine: Machine) -> Machine:
    """A machine where the demo's jar is newer than every source."""
    ready(machine)
    sources = [
        machine.repository / "build.sbt",
        machine.repository / "project" / "SieveBuild.scala",
        machine.repository / "scala-src" / "Rule.scala",
        machine.repository / "python" / "src" / "sparksieve" / "_version.py",
    ]
    for source in [*sources, machine.repository / "scala-src"]:
        source.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix:
            source.touch()
        os.utime(source, (1_000_000, 1_000_000))
    os.utime(machine.repository / "project" / "requirements.txt", (1_000_000, 1_000_000))
    jar = machine.repository / "python/src/sparksieve/jars/sparksieve-spark-4.3_2.13-0.1.0.jar"
    jar.parent.mkdir()
    jar.touch()
    return machine


def test_demo_runs_python_without_sbt_when_nothing_changed(built: Machine) -> None:
    done = built.run("demo", "--rows", "10")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "python -m sparksieve demo --rows 10",
        "path python/src",
    ]


def test_demo_builds_the_jar_when_a_source_is_newer(built: Machine) -> None:
    (built.repository / "scala-src" / "Rule.scala").touch()
    future = os.stat(built.repository / "python/src/sparksieve/jars").st_mtime + 60
    os.utime(built.repository / "scala-src" / "Rule.scala", (future, future))
    lines = built.run("demo").stdout.splitlines()
    assert "[demoJar]" in lines
    assert lines.index("[demoJar]") < lines.index("python -m sparksieve demo")
