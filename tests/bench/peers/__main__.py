# SPDX-License-Identifier: Apache-2.0
"""Measures Spark with and without Sieve beside other engines: `./sbt "bench peers"`.

    ./sbt "bench peers --suite tpch --scale 10 --runs 3 --out docs/figures"
    ./sbt "bench peers --page"

Each engine runs in a process of its own, with the same memory and number of threads. A first pass
collects the rows and what is read; the engines then take turns, round by round, each time in a new
process. `--once` does all that in one pass. Writes `peers-<suite>-<scale>-<layout>.json` to
`--out`; `--page` draws `docs/peers.md` and its plots from those in `docs/figures`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from . import once, rounds
from .engines import BY_NAME, KINDS
from .rounds import Setup
from .tables import LAYOUTS, SUITES
from .texts import chosen, texts

DATA = Path("target", "bench-data", "peers")


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="bench peers", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--suite", choices=SUITES, default="tpch")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is about 1 GB of text")
    parser.add_argument("--queries", type=names, default=[], help="q1,q2: these only")
    parser.add_argument(
        "--engines", type=names, default=list(BY_NAME), help=f"of {', '.join(BY_NAME)}"
    )
    parser.add_argument("--runs", type=int, default=3, help="measured rounds")
    parser.add_argument("--warm", type=int, default=1, help="runs of a query before it is measured")
    parser.add_argument("--sorted", action="store_true", help="only this layout")
    parser.add_argument("--unsorted", action="store_true", help="only this layout")
    parser.add_argument("--memory", type=int, default=8, help="gigabytes for each engine")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=900, help="seconds for a query")
    parser.add_argument("--out", type=Path, default=Path("target", "bench"))
    parser.add_argument("--once", action="store_true", help="no first pass for rows and reads")
    parser.add_argument("--add", action="store_true", help="add engines and rounds to a report")
    parser.add_argument("--page", action="store_true", help="draw the page from docs/figures")
    # These are given by `./sbt`.
    for name in ("spark-python", "sieve-jar", "comet-jar", "texts"):
        parser.add_argument(f"--{name}", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = [name for name in options.engines if name not in BY_NAME]
    if unknown:
        parser.error(f"there is no engine {', '.join(unknown)}: {', '.join(BY_NAME)}")
    return options


def names(words: str) -> list[str]:
    """The names of a list with commas."""
    return [word.strip() for word in words.split(",") if word.strip()]


def prepare(options: argparse.Namespace, home: Path, layouts: list[str]) -> None:
    """Writes the tables that do not exist yet."""
    from .generate import generate

    suite = SUITES[options.suite]
    facts = [home / layout / table for layout in layouts for table in suite.dates]
    if all(folder.is_dir() for folder in facts):
        return
    print(f"    generating {options.suite} {options.scale:g}, once", flush=True)
    generate(suite, options.scale, home / "generated")
    words = {
        "suite": options.suite,
        "home": str(home.resolve()),
        "layouts": layouts,
        "threads": options.threads,
        "memory": options.memory,
    }
    subprocess.run(
        [options.spark_python, "-m", "peers.layout", json.dumps(words)],
        check=True,
        stderr=subprocess.DEVNULL,
    )


def main() -> None:
    """Measures, or draws the page."""
    options = arguments()
    if options.page:
        from .page import draw

        draw(Path("docs"))
        return
    wanted = {"sorted": options.sorted, "unsorted": options.unsorted}
    layouts = [name for name in LAYOUTS if wanted[name]] or list(LAYOUTS)
    home = DATA / f"{options.suite}-{options.scale:g}"
    prepare(options, home, layouts)
    jars = {
        name: str(path.resolve())
        for name, path in (("sieve", options.sieve_jar), ("comet", options.comet_jar))
        if path
    }
    for layout in layouts:
        measured = once.measure if options.once else rounds.measure
        measured(
            Setup(
                suite=SUITES[options.suite],
                scale=options.scale,
                layout=layout,
                engines=[kind for kind in KINDS if kind.name in options.engines],
                texts=chosen(texts(options.texts, options.suite), options.queries),
                runs=options.runs,
                warm=options.warm,
                memory=options.memory,
                threads=options.threads,
                timeout=options.timeout,
                jars=jars,
                # Absolute, but not resolved: a virtual environment's interpreter is a link.
                spark_python=str(options.spark_python.absolute()),
                python=sys.executable,
                home=home.resolve(),
                work=Path("target", "bench", "peers").resolve(),
                out=options.out,
                add=options.add,
                once=options.once,
            )
        )


if __name__ == "__main__":
    main()
