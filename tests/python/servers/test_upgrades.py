# SPDX-License-Identifier: Apache-2.0
"""What was written with Sieve is read without it, and the other way round."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from server import free_port

from sparksieve._setup.install import find_install
from support import clean_environment, run_program

#: The start of each program: the session, with Sieve or without.
SESSION = """
sieve, folder = json.loads(os.environ["ARGUMENTS"])
made = builder().config("spark.sql.shuffle.partitions", "2")
for gate in ("minScanBytes", "minScanRatio"):
    made = made.config("spark.sieve.dynamicFilter." + gate, "0")
if os.path.isdir(folder + "/events"):
    made = made.config("spark.eventLog.enabled", "true")
    made = made.config("spark.eventLog.dir", folder + "/events")
spark = (sparksieve.configure(made) if sieve else made).getOrCreate()
assert sparksieve.is_active(spark) == sieve
"""

STREAM = """
spark.range(100).selectExpr("id AS k", "id % 10 AS part").createOrReplaceTempView("dims")
rows = spark.readStream.schema("id BIGINT, k BIGINT, s STRING").json(folder + "/in")
rows.createOrReplaceTempView("rows")
joined = spark.sql(
    "SELECT r.id, r.k FROM rows r JOIN dims d ON r.k = d.k "
    "WHERE d.part = 3 AND r.s LIKE '%a%' AND r.s RLIKE 'b+' AND r.id > 1"
).dropDuplicates(["id"])
writer = joined.writeStream.format("parquet").option("path", folder + "/out")
query = writer.option("checkpointLocation", folder + "/state").trigger(availableNow=True).start()
query.awaitTermination()
assert query.exception() is None
plan = query._jsq.explainInternal(False)
result(sorted(name for name in ("AdaptiveFilter", "DynamicFilter") if name in plan))
spark.stop()
"""


def run_session(text: str, folder: Path, *, sieve: bool) -> Any:
    """Runs a program with a session that has Sieve, or has it not."""
    return run_program(SESSION + text, folder, ARGUMENTS=json.dumps([sieve, str(folder)]))


@pytest.mark.exhaustive
def test_a_stream_continues_with_sieve_and_without_it(tmp_path: Path) -> None:
    """A checkpoint with state is continued with Sieve, and then without it again."""
    (tmp_path / "in").mkdir()
    expected = set()
    for step, sieve in enumerate([False, True, False]):
        # Each file repeats rows of the one before, which the state knows.
        rows = [
            {"id": i, "k": i % 100, "s": "ab" if i % 2 else "a"}
            for i in range(step * 200, step * 200 + 300)
        ]
        file = tmp_path / "in" / f"{step}.json"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        expected |= {
            (r["id"], r["k"]) for r in rows if r["k"] % 10 == 3 and r["s"] == "ab" and r["id"] > 1
        }
        operators = run_session(STREAM, tmp_path, sieve=sieve)
        assert operators == (["AdaptiveFilter"] if sieve else [])
    found = run_session(
        'result([list(row) for row in spark.read.parquet(folder + "/out").collect()])',
        tmp_path,
        sieve=False,
    )
    assert len(found) == len(expected)
    assert {tuple(row) for row in found} == expected


QUERIES = """
spark.range(0, 20000, 1, 8).selectExpr("id", "id % 7 AS a", "string(id) AS s").write.parquet(
    folder + "/big")
spark.range(0, 1000).selectExpr("id * 10 AS id", "id % 100 AS dept").write.parquet(
    folder + "/small")
big, small = (spark.read.parquet(folder + "/" + name) for name in ("big", "small"))
big.createOrReplaceTempView("big")
small.createOrReplaceTempView("small")
rows = len(spark.sql(
    "SELECT big.id FROM big JOIN small ON big.id = small.id WHERE dept = 7 AND s LIKE '%1%' "
    "AND s RLIKE '7+'").collect())
result([rows, spark.sparkContext.applicationId])
spark.stop()
"""


@contextmanager
def history_server(events: Path) -> Iterator[str]:
    """A history server of the Spark under test, without Sieve's jar; its address."""
    port = free_port()
    settings = {
        "spark.history.fs.logDirectory": events.as_uri(),
        "spark.history.fs.update.interval": "1s",
        "spark.history.ui.port": port,
    }
    command = ["java", "-Xmx512m", "-cp", f"{find_install().jars}/*"]
    # What Spark's own scripts give to Java 17.
    command += ["--add-opens=java.base/java.lang=ALL-UNNAMED"]
    command += [f"-D{key}={value}" for key, value in settings.items()]
    command += ["org.apache.spark.deploy.history.HistoryServer"]
    environment = clean_environment(SPARK_LOCAL_IP="127.0.0.1")
    log = events.parent / "history.log"
    with (
        log.open("w", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=output, stderr=output, env=environment) as server,
    ):
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def page(address: str) -> str:
    """The text of a page, which may not be there yet."""
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(address) as answer:
                return str(answer.read().decode())
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


@pytest.mark.exhaustive
def test_a_history_server_without_the_jar_shows_sieves_operators(tmp_path: Path) -> None:
    """Plans in event logs are texts, and nothing of Sieve has to be loaded for them."""
    events = tmp_path / "events"
    events.mkdir()
    rows, application = run_session(QUERIES, tmp_path, sieve=True)
    without, _ = run_session(
        QUERIES.replace("/big", "/big2").replace("/small", "/small2"), tmp_path, sieve=False
    )
    assert rows == without
    with history_server(events) as address:
        executions = json.loads(page(f"{address}/api/v1/applications/{application}/sql"))
        last = max(executions, key=lambda execution: int(execution["id"]))
        assert last["status"] == "COMPLETED"
        names = {node["nodeName"] for node in last["nodes"]}
        assert {"DynamicFilter", "DynamicScan"} <= names
        shown = page(f"{address}/history/{application}/SQL/execution/?id={last['id']}")
        assert "DynamicFilter" in shown


def test_a_cache_made_with_one_is_read_with_the_other(spark: SparkSession) -> None:
    """A cache keeps the rows of the plan that filled it, whoever reads it."""
    table = spark.range(1000).selectExpr("id", "id % 10 AS a", "id % 7 AS b")
    query = table.where("a > 2").exceptAll(table.where("b = 3"))
    expected = sorted(table.where("a > 2 AND NOT b = 3").collect())
    try:
        for filled in ("true", "false"):
            spark.conf.set("spark.sieve.enabled", filled)
            cached = query.cache()
            assert cached.count() == len(expected)
            spark.conf.set("spark.sieve.enabled", "false" if filled == "true" else "true")
            assert sorted(query.where("id >= 0").collect()) == expected
            assert sorted(cached.collect()) == expected
            cached.unpersist(blocking=True)
    finally:
        spark.conf.unset("spark.sieve.enabled")
