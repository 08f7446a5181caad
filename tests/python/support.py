# SPDX-License-Identifier: Apache-2.0
"""Helpers of the suite: programs in separate processes, and fake installations."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The repository.
ROOT = Path(__file__).resolve().parents[2]

#: This folder, for programs that import this module.
HELPERS = str(Path(__file__).resolve().parent)

MARK = "result:"

#: Settings that keep a small local session quiet and on this machine.
LOCAL = {
    "spark.master": "local[1]",
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.driver.memory": "1g",
    # The queries are small and run once: optimizing their code costs more than it saves.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.warehouse.dir": str(Path(tempfile.gettempdir(), "sparksieve-tests-warehouse")),
}

#: The start of the programs below: a builder with `LOCAL`, and `result`, which returns JSON.
PRELUDE = f"""
import json, os, sys
import sparksieve
from pyspark.sql import SparkSession

def builder():
    made = SparkSession.builder
    for key, value in {LOCAL!r}.items():
        made = made.config(key, value)
    return made

def result(value):
    print({MARK!r} + json.dumps(value), flush=True)

def error(call):
    try:
        call()
    except Exception as failure:
        return [type(failure).__name__, str(failure)]
    return None
"""


def clean_environment(**changes: str | None) -> dict[str, str]:
    """This process's environment without Spark's variables, with `changes` (None: unset)."""
    steering = ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS")
    environment = {key: value for key, value in os.environ.items() if key not in steering}
    # A session in the test process leaves a gateway and a Connect mode behind.
    for key in ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET", "SPARK_CONNECT_MODE_ENABLED"):
        environment.pop(key, None)
    for key, change in changes.items():
        if change is None:
            environment.pop(key, None)
        else:
            environment[key] = change
    return environment


def run(command: list[str], **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Runs a command in a clean environment."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=clean_environment(**changes),
    )


def run_program(text: str, folder: Path, **changes: str | None) -> Any:
    """Runs `PRELUDE` and `text` as a program and returns the value it passed to `result`."""
    program = write_program(text, folder)
    return result_of(run([sys.executable, str(program)], **changes))


def write_program(text: str, folder: Path) -> Path:
    """Writes `PRELUDE` and `text` to a file."""
    program = folder / "program.py"
    program.write_text(PRELUDE + text, encoding="utf-8")
    return program


def result_of(done: subprocess.CompletedProcess[str]) -> Any:
    """The value that a finished program passed to `result`."""
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            return json.loads(line[len(MARK) :])
    raise AssertionError(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr[-4000:]}")


def sparksieve(*words: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """Runs `python -m sparksieve WORDS`."""
    return run([sys.executable, "-m", "sparksieve", *words], **changes)


def write_jar(path: Path, version: str, line: str, scala: str) -> Path:
    """Writes a jar with nothing but Sieve's properties, for checks that read only these."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "META-INF/sparksieve.properties",
            f"#made for a test\nversion={version}\nspark.line={line}\nscala.binary={scala}\n",
        )
    return path


def write_spark_home(home: Path, spark: str, scala: str) -> Path:
    """Makes a folder with the two jars whose names give the versions of Spark and Scala."""
    jars = home / "jars"
    jars.mkdir(parents=True)
    binary = ".".join(scala.split(".")[:2])
    (jars / f"spark-core_{binary}-{spark}.jar").touch()
    (jars / f"scala-library-{scala}.jar").touch()
    return home


def write_java(home: Path, version: str) -> Path:
    """Makes a JAVA_HOME whose `java -version` prints `version`."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024-01-16' >&2\n")
    java.chmod(0o755)
    return home


def temporary_views(spark: SparkSession) -> list[str]:
    """The views that reports created; other tests share the session and have other views."""
    names = [table.name for table in spark.catalog.listTables() if table.isTemporary]
    return [name for name in names if name.startswith("sparksieve_report_")]


def docs_module(name: str) -> ModuleType:
    """A module of the folder `docs`, as mkdocs and the commands of the documentation load it."""
    folder = str(ROOT / "docs")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def write_people(spark: SparkSession, folder: Path) -> tuple[str, str]:
    """Writes a large table, and a small one that is filtered by a column other than the key.

    Returns their paths; they have the columns `id` and `name`, and `id` and `dept`.
    """
    people, places = (str(folder / name) for name in ("people", "places"))
    rows = spark.range(0, 2000, 1, 4)
    rows.selectExpr("id", "concat('name ', id) AS name").write.parquet(people)
    named = "if(id = 7, 'admin', 'other') AS dept"
    spark.range(0, 200, 1, 1).selectExpr("id * 10 AS id", named).write.parquet(places)
    return people, places
