# SPDX-License-Identifier: Apache-2.0
"""Starts a standalone cluster of Spark on this machine: a master and two workers, loopback only."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import processes

HOST = "127.0.0.1"
WORKERS = 2
MEMORY = "1g"

# Seconds until the master listens, on a machine with other work.
START = 60.0

# Short runs on few cores: the optimizing compiler and parallel collectors cost more than they save.
JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

LOG4J = """\
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss.SSS} %p %c{1}: %m%n%ex
"""


class Cluster(NamedTuple):
    """A running cluster: the master's URL, and the ids of its workers' processes."""

    master: str
    workers: tuple[int, ...]


def environment(home: Path, python: str) -> dict[str, str]:
    """The environment of all processes of a run whose files are in the folder `home`.

    It has none of the user's settings of Spark.
    """
    own = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    # Executors run in folders of their own, and import the functions of users from here.
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    own["PYTHONPATH"] = os.pathsep.join(os.path.abspath(folder) for folder in path if folder)
    return {
        **own,
        processes.MARK: str(home),
        "SPARK_CONF_DIR": str(home / "conf"),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_LOCAL_DIRS": str(home / "disk"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": f"{JAVA} -Dspark.master.rest.enabled=false",
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": python,
        "TMPDIR": str(home / "tmp"),
    }


@contextmanager
def cluster(home: Path, spark: Path, python: str) -> Iterator[Cluster]:
    """A cluster of the Spark in the folder `spark`, which ends with the block.

    :raises SystemExit: the master or a worker does not start.
    """
    for name in ("conf", "tmp", "log", "disk"):
        (home / name).mkdir(parents=True, exist_ok=True)
    (home / "conf" / "log4j2.properties").write_text(LOG4J)
    environ = environment(home, python)
    try:
        port = free_port()
        words = ["--host", HOST, "--port", str(port), "--webui-port", "0"]
        master = _start(home, spark, "master.Master", words, environ)
        _listens(port, master, home)
        url = f"spark://{HOST}:{port}"
        yield Cluster(url, tuple(_worker(home, spark, url, environ, n) for n in range(WORKERS)))
    finally:
        processes.end(str(home))


def free_port() -> int:
    """A port of the loopback interface on which nothing listens."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _worker(home: Path, spark: Path, url: str, environ: dict[str, str], number: int) -> int:
    disk = home / f"disk{number}"
    disk.mkdir(exist_ok=True)
    host = worker_host(number)
    words = ["--host", host, "--port", "0", "--webui-port", "0", "--cores", "1"]
    words += ["--memory", MEMORY, "--work-dir", str(home / f"work{number}"), url]
    own = {**environ, "SPARK_LOCAL_DIRS": str(disk), "SPARK_LOCAL_IP": host}
    return _start(home, spark, "worker.Worker", words, own, f"worker{number}").pid


def worker_host(number: int) -> str:
    """The address of a worker, of its own where the loopback interface has more than one.

    Spark gives a slow task to no other executor of the same host.
    """
    host = f"127.0.0.{number + 2}"
    with socket.socket() as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return HOST
    return host


def _start(
    home: Path,
    spark: Path,
    main: str,
    words: Sequence[str],
    environ: dict[str, str],
    name: str = "master",
) -> subprocess.Popen[bytes]:
    with (home / "log" / f"{name}.log").open("ab") as log:
        # spark-class becomes the JVM, so this is the id of the JVM too. In a session of its own,
        # Ctrl-C reaches only the program, which then ends the cluster.
        return subprocess.Popen(
            [spark / "bin" / "spark-class", f"org.apache.spark.deploy.{main}", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environ,
            start_new_session=True,
        )


def _listens(port: int, master: subprocess.Popen[bytes], home: Path) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and master.poll() is None:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    log = (home / "log" / "master.log").read_text(errors="replace")[-1000:]
    raise SystemExit(f"cluster: the master did not start.\n{log}")
