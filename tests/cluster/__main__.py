# SPDX-License-Identifier: Apache-2.0
"""Shows on a real Spark cluster that Sieve gives the same rows when things fail: `./sbt cluster`.

    ./sbt "cluster --cases keys-sort-merge,setop --faults killed,shuffle"
    ./sbt "cluster --faults kryo"

Starts a master and two workers of Spark's standalone cluster on this machine, and runs each case
of the demo with Sieve while an executor is killed, leaves or is slow, tasks fail, or shuffle files
are lost. The rows must be those of the query without Sieve and without a fault, and the query must
not need more jobs than without the fault. Other trials bring the jar in three ways, use Kryo, and
call functions of users. Exit code: 0 all rows equal, 1 a failure, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from .choice import chosen_cases, chosen_trials
from .compiled import java_jar
from .drivers import Setup, results
from .standalone import cluster
from .trials import TRIALS
from .verdict import FAILED, Expected, Verdict, line, summary


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="cluster", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cases", default="", help="cases, features or patterns, with commas")
    parser.add_argument("--faults", default="", help=f"of {', '.join(TRIALS)}")
    parser.add_argument("--rows", type=int, default=20_000, help="flights; the size of all tables")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for a query")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep data and logs here, for another run"
    )
    # These are given by `./sbt`.
    parser.add_argument("--jar", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--java", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        options.trials = chosen_trials(options.faults)
        options.names = {t.name: chosen_cases(t, options.cases) for t in options.trials}
    except ValueError as wrong:
        parser.error(str(wrong))
    return options


@contextmanager
def folder(keep: Path | None) -> Iterator[Path]:
    """The folder of the run: `keep`, or a temporary one."""
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    made = Path(tempfile.mkdtemp(prefix="sieve-cluster-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def run(options: argparse.Namespace, home: Path) -> list[Verdict]:
    """Runs the trials and prints a line for each case; the verdicts in the same order."""
    import pyspark

    spark = Path(pyspark.__file__).parent
    java = java_jar(home, spark, options.java)
    expected: dict[str, Expected] = {}
    verdicts = []
    # Absolute, but not resolved: a virtual environment's interpreter is a link.
    python = str(Path(sys.executable).absolute())
    with cluster(home, spark, python) as started:
        setup = Setup(
            started, home, python, java, options.jar.resolve(), options.rows, options.timeout
        )
        for trial in options.trials:
            for result in results(setup, trial, options.names[trial.name], expected):
                if result.expected:
                    expected[result.case] = result.expected
                verdicts.append(result.verdict)
                print(line(result.case, trial.name, result.verdict, result.seconds), flush=True)
    return verdicts


def stopped(number: int, frame: FrameType | None) -> None:
    """Makes the first Ctrl-C or SIGTERM an exception, which ends the cluster.

    Further ones are ignored, because they would leave processes behind.
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> None:
    """Runs the program."""
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stopped)
    try:
        with folder(options.keep) as home:
            verdicts = run(options, home)
    except KeyboardInterrupt:
        raise SystemExit("cluster: interrupted") from None
    print(summary(verdicts))
    if any(verdict.status == FAILED for verdict in verdicts):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
