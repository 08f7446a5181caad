# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the Python suite, which runs against the installed wheel."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

import sparksieve
from sparksieve._setup.install import find_install
from support import LOCAL

INSTALL = find_install()

# Texts are as wide as the terminal, but tests are not.
os.environ["COLUMNS"] = "120"

# pyspark's wheels carry the Connect server from 4.0 on. For 3.5 it is a separate package that
# belongs to a Spark installation, so there is no server to test against.
HAS_CONNECT_SERVER = any(INSTALL.jars.glob("spark-connect_*.jar"))

collect_ignore = [] if HAS_CONNECT_SERVER else ["servers/test_connect.py"]


def pytest_report_header() -> str:
    """Names the Spark under test, and the tests that cannot run with it."""
    spark = f"Spark {INSTALL.spark_version}, Scala {INSTALL.scala}"
    if HAS_CONNECT_SERVER:
        return spark
    return f"{spark}; test_connect.py is left out: this pyspark carries no Connect server"


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One classic session with Sieve for all tests that need one."""
    builder = SparkSession.builder.appName("sparksieve tests")
    for key, value in LOCAL.items():
        builder = builder.config(key, value)
    # The tests' tables are small: without these settings, their size would prevent rewrites.
    gates = (
        "setop.counting.minScanBytes",
        "dynamicFilter.minScanBytes",
        "dynamicFilter.minScanRatio",
    )
    for gate in gates:
        builder = builder.config(f"spark.sieve.{gate}", "0")
    # Tests compare reports row by row; adaptive filters have their own tests.
    builder = builder.config("spark.sieve.adaptiveFilter.enabled", "false")
    session = sparksieve.configure(builder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def flights_csv(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A CSV of flights with duplicates, and with missing values in its column `month`."""
    path: Path = tmp_path_factory.mktemp("flights") / "flights.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["month", "carrier", "delay"])
        for number in range(240):
            month = "" if number % 40 == 0 else number % 12 + 1
            writer.writerow([month, "AB"[number % 2], number % 5])
    return str(path)


@pytest.fixture
def flights(spark: SparkSession, flights_csv: str) -> DataFrame:
    """A new DataFrame of the flights."""
    return spark.read.csv(flights_csv, header=True, inferSchema=True)


@pytest.fixture
def query(flights: DataFrame) -> DataFrame:
    """EXCEPT ALL of two filters of one CSV, which Spark itself does not merge."""
    return flights.where("month < 6").exceptAll(flights.where("month = 3"))


@pytest.fixture
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides the session of the other tests and the environment from tests of `configure`."""
    monkeypatch.setattr("sparksieve._setup.configure._session_has_sieve", lambda: False)
    monkeypatch.setattr("sparksieve._setup.configure.running_jvm", lambda: None)
    for name in ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)
