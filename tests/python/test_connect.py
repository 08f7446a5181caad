# SPDX-License-Identifier: Apache-2.0
"""Sieve over Spark Connect, with real servers: one with the extension, one without.

Collected only if pyspark carries a Connect server, as it does from 4.0 on (see conftest.py).
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from support import LOCAL, clean_environment, result_of, run, run_program, sparksieve

INSTALL = find_install()
EXTENSION = "io.sparksieve.SieveExtensions"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as attempt:
            attempt.settimeout(1)
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    log.seek(0)
    tail = log.read().decode(errors="replace")[-3000:]
    raise AssertionError(f"the Connect server did not start:\n{tail}")


@contextmanager
def _server(folder: Path, *words: str) -> Iterator[str]:
    """Runs a Connect server on a free port of this machine, and yields its URL."""
    port = _free_port()
    settings = {
        **LOCAL,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    command = [str(INSTALL.home / "bin" / "spark-submit"), "--class", SERVER]
    for pair in settings.items():
        command += ["--conf", "=".join(pair)]
    with (folder / "server.log").open("w+b") as log:
        server = subprocess.Popen(
            [*command, *words, "spark-internal"],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=clean_environment(),
        )
        try:
            _wait(server, port, log)
            yield f"sc://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=60)


def _client(url: str, flights_csv: str) -> dict[str, Any]:
    program = Path(__file__).with_name("connect_client.py")
    facts: dict[str, Any] = result_of(run([sys.executable, str(program), url, flights_csv]))
    return facts


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server with Sieve."""
    jar = bundled_jar(INSTALL.spark_version, INSTALL.scala)
    words = ("--jars", str(jar), "--conf", f"spark.sql.extensions={EXTENSION}")
    with _server(tmp_path_factory.mktemp("server"), *words) as url:
        yield url


@pytest.fixture(scope="module")
def facts(server: str, flights_csv: str) -> dict[str, Any]:
    """What the client saw on a server with Sieve."""
    return _client(server, flights_csv)


@pytest.fixture(scope="module")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server without Sieve."""
    with _server(tmp_path_factory.mktemp("plain-server")) as url:
        yield url


@pytest.fixture(scope="module")
def plain_facts(plain_server: str, flights_csv: str) -> dict[str, Any]:
    """What the client saw on a server without Sieve."""
    return _client(plain_server, flights_csv)


def test_the_session_is_a_connect_session_with_sieve(facts: dict[str, Any]) -> None:
    assert facts["session"] == "pyspark.sql.connect.session"
    assert facts["active"] is True


def test_the_report_is_that_of_a_classic_session(facts: dict[str, Any]) -> None:
    rows = facts["report"]["rows"]
    assert [(row["rule"], row["outcome"]) for row in rows] == [
        ("ReplaceExceptWithNotFilter", "applied")
    ]
    assert "1 applied, 0 declined" in facts["text"]
    assert "with Sieve" in facts["html"]
    assert facts["sql"] == []
    assert facts["function"] == ["ReplaceExceptWithNotFilter", "range"]  # the rule and the scan
    assert facts["views"] == []


def test_the_advice_is_that_of_a_classic_session(facts: dict[str, Any]) -> None:
    (table,) = facts["advice"]["tables"]
    assert (table["outcome"], table["layouts"][0]["text"]) == ("rewrite", "sort by k")
    queries = facts["advice for the session"]["queries"]
    assert [query["runs"] for query in queries if query["text"].endswith("k = 5L")] == [1]


def test_what_a_run_measured_is_reported(facts: dict[str, Any]) -> None:
    assert [row["outcome"] for row in facts["before the run"]] == ["applied"]
    assert facts["joined"] == [70]
    after = facts["after the run"]
    assert after[:1] == facts["before the run"]
    assert {row["rule"] for row in after[1:]} == {"DynamicFilter", "DynamicScan"}
    assert {row["outcome"] for row in after[1:]} == {"measured"}


def test_the_plan_moved_and_the_rows_are_the_same(facts: dict[str, Any]) -> None:
    physical = facts["report"]["plans"][1]
    assert physical["before"].count("FileScan csv") == 2
    assert physical["after"].count("FileScan csv") == 1
    assert facts["on"]
    assert facts["on"] == facts["off"]
    assert not [row for row in facts["report off"]["rows"] if row["outcome"] == "applied"]
    assert facts["restored"] is None


def test_configs_over_connect(facts: dict[str, Any]) -> None:
    assert facts["size"] == 2 << 20
    assert "spark.sieve.enabled" in facts["configs"]
    name, text = facts["wrong value"]
    assert name == "ConfigValueError"
    assert "minScanBytes does not accept -5" in text
    assert facts["unknown config"][0] == "UnknownConfigError"


def test_bulk_filters(facts: dict[str, Any]) -> None:
    bulk = facts["bulk filters"]
    assert bulk["in"] == [1, 2]
    assert bulk["not in"] == [3]
    assert bulk["exclude"] == [3, 4]
    assert bulk["tree"] == [1, 2, 3, 4]
    assert bulk["keys"] == ["carrier", "carrier", "carrier", None, None]
    name, text = bulk["missing"]
    assert name == "AnalysisException"
    assert "carriers-not" in text


def test_configure_accepts_a_session_that_has_sieve(facts: dict[str, Any]) -> None:
    assert facts["configure"] is None


def test_a_server_without_sieve_says_so_everywhere(plain_facts: dict[str, Any]) -> None:
    assert plain_facts["active"] is False
    assert plain_facts["views"] == []
    for call in ("report", "conf", "options"):
        name, text = plain_facts[call]
        assert name == "SieveNotActiveError"
        assert "The Spark Connect server" in text
        assert f"--conf spark.sql.extensions={EXTENSION}" in text
    name, text = plain_facts["bulk filters"]
    assert name == "AnalysisException"
    assert "in_file" in text
    name, text = plain_facts["configure"]
    assert name == "SessionRunningError"
    assert "Connect" in text


def test_the_doctor_on_a_server_with_sieve(server: str) -> None:
    done = sparksieve("doctor", "--remote", server)
    assert done.returncode == 0, done.stdout
    assert f"OK    Session: Spark Connect server {server}" in done.stdout
    assert "OK    Rewriting" in done.stdout


def test_the_doctor_on_a_server_without_sieve(plain_server: str) -> None:
    done = sparksieve("doctor", SPARK_REMOTE=plain_server)
    assert done.returncode == 1
    assert "FAIL  Session" in done.stdout
    assert "-> " in done.stdout
    assert "Start the server with --jars" in done.stdout


def test_a_connect_server_within_the_process(tmp_path: Path) -> None:
    """`remote("local")` starts a server in the process, which takes the builder's options."""
    outcome = run_program(
        """
from support import LOCAL
made = SparkSession.builder.remote("local[1]")
for key, value in LOCAL.items():
    if key != "spark.master":
        made = made.config(key, value)
spark = sparksieve.configure(made).getOrCreate()
query = "SELECT id FROM range(9) EXCEPT ALL SELECT id FROM range(9) WHERE id = 3"
rules = [row.rule for row in sparksieve.report(query, spark).applied]
result([type(spark).__module__, sparksieve.is_active(spark), rules])
""",
        tmp_path,
        PYTHONPATH=str(Path(__file__).parent),
        # Lets pyspark use a free port instead of the default port of every such server.
        SPARK_TESTING="1",
    )
    assert outcome == ["pyspark.sql.connect.session", True, ["ReplaceExceptWithNotFilter"]]
