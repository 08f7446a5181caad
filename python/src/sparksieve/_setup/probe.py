# SPDX-License-Identifier: Apache-2.0
"""The doctor's session check, in a separate process: `python -m sparksieve._setup.probe`.

A separate process keeps Spark's log out of the doctor's output, does not touch the caller's
session, and can be stopped when a server does not answer. It prints `MARK` and one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

MARK = "sparksieve-probe:"


@dataclass
class ProbeResult:
    """The result of the probe.

    `error` is its failure (`None`: none), `info` the rows of `sieve_info()`, `applied` the rule
    that rewrote the probe's EXCEPT ALL (`None`: no rule did), `log` the end of Spark's log.
    """

    error: str | None = None
    info: list[tuple[str, str]] = field(default_factory=list)
    applied: str | None = None
    log: str = ""


def run_probe(remote: str | None, timeout: float) -> ProbeResult:
    """Runs the probe against a fresh local session, or a Connect server at `remote`."""
    command = [sys.executable, "-m", "sparksieve._setup.probe", *([remote] if remote else [])]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return ProbeResult(f"no answer within {timeout:g} seconds")
    log = "\n".join(run.stderr.strip().splitlines()[-5:])
    for line in run.stdout.splitlines():
        if line.startswith(MARK):
            facts = json.loads(line[len(MARK) :])
            info = [(key, value) for key, value in facts["info"]]
            return ProbeResult(facts["error"], info, facts["applied"], log)
    return ProbeResult(f"the check ended with exit code {run.returncode} and no result", log=log)


def _probe(remote: str | None) -> dict[str, object]:
    from pyspark.sql import SparkSession

    from sparksieve import configure, options, report
    from sparksieve._session import info

    with tempfile.TemporaryDirectory() as warehouse:
        if remote:
            spark = SparkSession.builder.remote(remote).getOrCreate()
        else:
            builder = (
                SparkSession.builder.master("local[1]")
                .appName("sparksieve doctor")
                .config("spark.ui.enabled", "false")
                # The executor fetches the jar from the driver: this keeps it on this machine.
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                # Spark creates this folder, by default in the current directory.
                .config("spark.sql.warehouse.dir", warehouse)
            )
            spark = configure(builder).getOrCreate()
        try:
            facts = info(spark)
            with options(spark, enabled=True, setop=True):
                query = spark.range(10).exceptAll(spark.range(10).where("id = 3"))
                applied = report(query).applied
        finally:
            spark.stop()
    return {"error": None, "info": facts, "applied": applied[0].rule if applied else None}


def main(argv: list[str]) -> int:
    """Runs the check and prints its result; the exit code is 0 even if the check failed."""
    result: dict[str, object]
    try:
        result = _probe(argv[0] if argv else None)
    except Exception as failure:  # Every failure is a result to report.
        first = str(failure).strip().splitlines()[:1]
        text = f"{type(failure).__name__}: {first[0] if first else 'no message'}"
        result = {"error": text, "info": [], "applied": None}
    print(MARK + json.dumps(result), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
