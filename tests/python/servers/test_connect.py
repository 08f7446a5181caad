# SPDX-License-Identifier: Apache-2.0
"""Sieve over Spark Connect, with real servers: one with the extension, one without.

Collected only if pyspark carries a Connect server, as it does from 4.0 on (see conftest.py).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from server import EXTENSION, free_port, running, with_sieve

from support import HELPERS, result_of, run, run_program, sparksieve

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextmanager
def _server(folder: Path, words: Sequence[str] = ()) -> Iterator[str]:
    """Runs a Connect server, and yields its URL."""
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    confs = [word for pair in settings.items() for word in ("--conf", "=".join(pair))]
    with running(folder, SERVER, port, [*confs, *words]):
        yield f"sc://127.0.0.1:{port}"


def _client(url: str, flights_csv: str) -> dict[str, Any]:
    program = Path(__file__).with_name("connect_client.py")
    facts: dict[str, Any] = result_of(
        run([sys.executable, str(program), url, flights_csv], PYTHONPATH=HELPERS)
    )
    return facts


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server with Sieve."""
    with _server(tmp_path_factory.mktemp("server"), with_sieve()) as url:
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


def test_ten_clients_at_the_same_time(server: str, tmp_path: Path) -> None:
    """Each has the rows, and plans by its own configs."""
    program = Path(__file__).with_name("connect_crowd.py")
    clients = result_of(
        run([sys.executable, str(program), server, str(tmp_path)], PYTHONPATH=HELPERS)
    )
    assert len(clients) == 10
    for client in clients:
        assert client["error"] is None
        assert client["rows"] == clients[0]["rows"]
        assert client["planned"] == client["on"]


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
        PYTHONPATH=HELPERS,
        # Lets pyspark use a free port instead of the default port of every such server.
        SPARK_TESTING="1",
    )
    assert outcome == ["pyspark.sql.connect.session", True, ["ReplaceExceptWithNotFilter"]]
