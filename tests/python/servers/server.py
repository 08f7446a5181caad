# SPDX-License-Identifier: Apache-2.0
"""Spark's servers in processes of their own, on free ports of this machine."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from support import LOCAL, clean_environment

INSTALL = find_install()
EXTENSION = "io.sparksieve.SieveExtensions"


def with_sieve() -> list[str]:
    """The words of spark-submit that start a server with Sieve."""
    jar = bundled_jar(INSTALL.spark_version, INSTALL.scala)
    return ["--jars", str(jar), "--conf", f"spark.sql.extensions={EXTENSION}"]


def free_port() -> int:
    """A port that nobody listens to."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running(
    folder: Path, main_class: str, port: int, words: list[str], *arguments: str
) -> Iterator[None]:
    """Runs a server while the block runs.

    Args:
        folder: the server's working directory, and the place of its log.
        main_class: the class of the server, which Spark's installation has.
        port: where the server will listen.
        words: further words of spark-submit.
        arguments: the server's own.
    """
    command = [str(INSTALL.home / "bin" / "spark-submit"), "--class", main_class]
    for pair in LOCAL.items():
        command += ["--conf", "=".join(pair)]
    with (folder / "server.log").open("w+b") as log:
        server = subprocess.Popen(
            [*command, *words, "spark-internal", *arguments],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=clean_environment(),
        )
        try:
            _wait(server, port, log)
            yield
        finally:
            server.terminate()
            server.wait(timeout=60)


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
    raise AssertionError(f"the server did not start:\n{tail}")
