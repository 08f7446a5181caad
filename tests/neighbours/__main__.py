# SPDX-License-Identifier: Apache-2.0
"""Shows that Sieve and another extension work in one session, in both orders: `./sbt neighbours`.

    ./sbt "neighbours --only delta,iceberg"

For each extension: its tables, queries for every feature of Sieve's, and commands that change rows,
with the extension alone, with Sieve before it in `spark.sql.extensions`, and with Sieve after it.
The rows must be the same. Exit code: 0 all rows equal, 1 a failure, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from child import Child
from said import warning

from .kinds import NEIGHBOURS, VARIANTS
from .verdict import Verdict, judge, line, summary
from .worker import MARK

#: Seconds that a step may take.
PATIENCE = 300.0


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="neighbours", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help=f"of {', '.join(NEIGHBOURS)}, with commas")
    # Given by `./sbt`: an extension, the Python of its Spark line, and the jars.
    parser.add_argument("--with", dest="given", nargs=4, action="append", help=argparse.SUPPRESS)
    options = parser.parse_args()
    wanted = [name.strip() for name in options.only.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in NEIGHBOURS]
    if unknown:
        parser.error(f"there is no extension {', '.join(unknown)}: {', '.join(NEIGHBOURS)}")
    options.given = [one for one in options.given if not wanted or one[0] in wanted]
    return options


def answers(given: list[str], variant: str, home: Path) -> dict[str, dict[str, Any]]:
    """The answers of a session, by the names of the steps; under `session` if there is none."""
    neighbour, python, sieve, jars = given
    folder = home / f"{neighbour}-{variant.replace(' ', '-')}"
    (folder / "tmp").mkdir(parents=True)
    task = {
        "neighbour": neighbour,
        "variant": variant,
        "folder": str(folder),
        "jars": [*jars.split(os.pathsep), *([sieve] if variant != "alone" else [])],
    }
    own = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    environment = {**own, "SPARK_LOCAL_IP": "127.0.0.1", "TMPDIR": str(folder / "tmp")}
    words = [python, "-m", f"{__package__}.worker"]
    child = Child(words, task, MARK, folder / "log", environment, folder)
    found: dict[str, dict[str, Any]] = {}
    try:
        active = child.answer(PATIENCE)["ready"]
        if active != (variant != "alone"):
            found["session"] = {"error": f"Sieve is {'' if active else 'not '}active"}
        while True:
            answer = child.answer(PATIENCE)
            found[answer.pop("step")] = answer
    except TimeoutError:
        found["session"] = {"error": f"no answer after {PATIENCE:g} s"}
    except EOFError:
        if not found or child.process.wait() != 0:
            found["session"] = {"error": f"the session ended: see {folder / 'log'}"}
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
        child.log.close()
    said = warning((folder / "log").read_text(errors="replace"))
    if said:
        found["log"] = {"error": said}
    return found


def run(options: argparse.Namespace, home: Path) -> list[Verdict]:
    """Runs all sessions and prints a line for each step; the verdicts in the same order."""
    verdicts = []
    for given in options.given:
        alone = answers(given, "alone", home)
        if "session" in alone:
            verdicts.append(Verdict(False, alone["session"]["error"]))
            print(line(given[0], "alone", "session", verdicts[-1]), flush=True)
            continue
        for variant in list(VARIANTS)[1:]:
            found = answers(given, variant, home)
            missing = {"error": "not run"}
            for step in {**alone, **found}:
                verdict = judge(alone.get(step, {"rows": ""}), found.get(step, missing))
                verdicts.append(verdict)
                print(line(given[0], variant, step, verdict), flush=True)
    return verdicts


def main() -> None:
    """Runs the program."""
    options = arguments()
    home = Path(tempfile.mkdtemp(prefix="sieve-neighbours-"))
    verdicts = run(options, home)
    print(summary(verdicts))
    if not all(verdict.ok for verdict in verdicts):
        raise SystemExit(f"neighbours: the logs are in {home}")
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
