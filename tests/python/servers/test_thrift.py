# SPDX-License-Identifier: Apache-2.0
"""Sieve in Spark's Thrift server, with several JDBC clients at the same time."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from server import INSTALL, free_port, running, with_sieve

from sparksieve._setup.java import require_java
from support import run

SERVER = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
EXCEPT = "SELECT id FROM range(9) EXCEPT ALL SELECT id FROM range(9) WHERE id = 3"
ROWS = {"0", "1", "2", "4", "5", "6", "7", "8"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The JDBC address of a server with Sieve."""
    port = free_port()
    folder = tmp_path_factory.mktemp("thrift")
    words = [*with_sieve(), "--conf", f"spark.hadoop.hive.metastore.warehouse.dir={folder}"]
    address = {"bind.host": "127.0.0.1", "port": str(port)}
    hive = [f"hive.server2.thrift.{key}={value}" for key, value in address.items()]
    arguments = [word for pair in hive for word in ("--hiveconf", pair)]
    with running(folder, SERVER, port, words, *arguments):
        yield f"jdbc:hive2://127.0.0.1:{port}/default"


def _client(url: str, *statements: str) -> subprocess.CompletedProcess[str]:
    """Runs statements in one session of the command line client; it prints a heading per result."""
    java, _ = require_java(None)
    client = [java, "-cp", f"{INSTALL.jars}/*", "org.apache.hive.beeline.BeeLine"]
    options = ["-u", url, "--silent=true", "--outputformat=csv2"]
    return run([*client, *options, "-e", "; ".join(statements)])


def test_clients_at_the_same_time_have_their_rows_and_their_configs(url: str) -> None:
    report = f"SELECT concat('rule ', rule, ' ', outcome) FROM sieve_report('{EXCEPT}')"

    def seen(sieve: str) -> tuple[set[str], set[str]]:
        found = _client(url, f"SET spark.sieve.setop.enabled={sieve}", EXCEPT, report)
        lines = {line.strip() for line in found.stdout.splitlines()}
        return {line for line in lines if line.isdigit()}, {
            line for line in lines if line.startswith("rule Replace")
        }

    switches = ["true", "false"] * 2
    with ThreadPoolExecutor(len(switches)) as pool:
        for switch, (rows, rules) in zip(switches, pool.map(seen, switches)):
            assert rows == ROWS
            outcomes = {"rule ReplaceExceptWithNotFilter applied"} if switch == "true" else set()
            assert rules == outcomes


def test_a_wrong_value_of_a_config_is_refused(url: str) -> None:
    said = _client(url, "SET spark.sieve.dynamicFilter.maxKeys=many", EXCEPT)
    assert "spark.sieve.dynamicFilter.maxKeys" in said.stdout + said.stderr
