# SPDX-License-Identifier: Apache-2.0
"""`configure` and running sessions, each in its own process, as users meet them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from support import LOCAL, result_of, run, run_program, write_jar, write_program

EXTENSION = "io.sparksieve.SieveExtensions"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The facts from a process that starts a session without Sieve and later stops it."""
    facts: dict[str, Any] = run_program(
        """
spark = builder().getOrCreate()
df = spark.range(3)
calls = [
    lambda: sparksieve.report(df),
    lambda: sparksieve.report("SELECT 1", spark=spark),
    lambda: sparksieve.conf(spark),
    lambda: sparksieve.options(spark, setop=False),
]
facts = {
    "active": sparksieve.is_active(spark),
    "errors": [error(call) for call in calls],
    "views": [table.name for table in spark.catalog.listTables()],
    "running": error(lambda: sparksieve.configure(builder())),
}
spark.stop()
facts["stopped"] = error(lambda: sparksieve.configure(builder()))
result(facts)
""",
        tmp_path_factory.mktemp("plain"),
    )
    return facts


def test_a_session_that_runs_without_sieve_is_refused(plain: dict[str, Any]) -> None:
    name, text = plain["running"]
    assert name == "SessionRunningError"
    assert "before the first getOrCreate()" in text
    assert "restart Python" in text


def test_a_jvm_that_was_started_without_sieve_is_refused(plain: dict[str, Any]) -> None:
    name, text = plain["stopped"]
    assert name == "SessionRunningError"
    assert "JVM was started already" in text


def test_a_session_without_sieve_says_so_everywhere(plain: dict[str, Any]) -> None:
    assert plain["active"] is False
    assert plain["views"] == []
    assert len(plain["errors"]) == 4
    for name, text in plain["errors"]:
        assert name == "SieveNotActiveError"
        assert "sparksieve.configure" in text
        assert "python -m sparksieve doctor" in text


def test_a_session_with_sieve_may_be_configured_again(tmp_path: Path) -> None:
    facts = run_program(
        """
first = sparksieve.configure(builder()).getOrCreate()
again = sparksieve.configure(builder()).getOrCreate()
same = first is again
first.stop()
after_stop = sparksieve.configure(builder()).getOrCreate()
result([same, sparksieve.is_active(after_stop), after_stop.conf.get("spark.sql.extensions")])
""",
        tmp_path,
    )
    assert facts == [True, True, EXTENSION]


def test_another_extension_and_other_jars_stay(tmp_path: Path) -> None:
    other = write_jar(tmp_path / "other.jar", "0.1.0", "4.0", "2.13")
    facts = run_program(
        f"""
made = builder().config("spark.sql.extensions", "com.example.Other")
made = made.config("spark.jars", {str(other)!r})
spark = sparksieve.configure(made).getOrCreate()
jars = spark.sparkContext.getConf().get("spark.jars")
result([sparksieve.is_active(spark), spark.conf.get("spark.sql.extensions"), jars])
""",
        tmp_path,
    )
    assert facts[:2] == [True, f"com.example.Other,{EXTENSION}"]
    assert [Path(jar).name for jar in facts[2].split(",")] == ["other.jar", _jar().name]


def test_submit_arguments_stay(tmp_path: Path) -> None:
    other = write_jar(tmp_path / "other.jar", "0.1.0", "4.0", "2.13")
    facts = run_program(
        """
spark = sparksieve.configure(builder()).getOrCreate()
jars = spark.sparkContext.getConf().get("spark.jars")
result([sparksieve.is_active(spark), spark.conf.get("spark.sql.extensions"), jars])
""",
        tmp_path,
        PYSPARK_SUBMIT_ARGS=f"--jars {other} --conf spark.sql.extensions=com.example.Other "
        "pyspark-shell",
    )
    assert facts[:2] == [True, f"com.example.Other,{EXTENSION}"]
    assert [Path(jar).name for jar in facts[2].split(",")] == ["other.jar", _jar().name]


def test_spark_submit_with_the_jar(tmp_path: Path) -> None:
    program = write_program(
        """
spark = sparksieve.configure(SparkSession.builder).getOrCreate()
result([sparksieve.is_active(spark), spark.conf.get("spark.sql.extensions")])
""",
        tmp_path,
    )
    done = run(
        _submit("--jars", str(_jar()), "--conf", "spark.sql.extensions=com.example.Other", program)
    )
    assert result_of(done) == [True, f"com.example.Other,{EXTENSION}"]


def test_spark_submit_without_the_jar_is_refused(tmp_path: Path) -> None:
    program = write_program(
        "result(error(lambda: sparksieve.configure(SparkSession.builder)))", tmp_path
    )
    name, text = result_of(run(_submit(program)))
    assert name == "SessionRunningError"
    assert "Under spark-submit pass --jars" in text


def test_sql_text_needs_a_session(tmp_path: Path) -> None:
    name, text = run_program("result(error(lambda: sparksieve.report('SELECT 1')))", tmp_path)
    assert name == "NoSessionError"
    assert "spark=spark" in text


def _jar() -> Path:
    install = find_install()
    return bundled_jar(install.spark_version, install.scala)


def _submit(*words: str | Path) -> list[str]:
    settings = [part for pair in LOCAL.items() for part in ("--conf", "=".join(pair))]
    submit = str(find_install().home / "bin" / "spark-submit")
    python = ["--conf", f"spark.pyspark.python={sys.executable}"]
    return [submit, *settings, *python, *map(str, words)]
