# SPDX-License-Identifier: Apache-2.0
"""`python -m sparksieve` and the `sparksieve` command."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import textwrap

from sparksieve._numbers import counted
from sparksieve._setup.configs import all_configs
from sparksieve._setup.doctor import FAIL, examine
from sparksieve._setup.install import SUPPORTED, find_install, line_of, supported_text
from sparksieve._setup.jars import bundled_jar
from sparksieve._version import __version__
from sparksieve.errors import SieveError


def main(argv: list[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 fine, 1 failed check or error, 2 wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["demo"]:
        # The demo has its own options, and is imported only on demand, because it needs pyspark.
        demo = importlib.import_module("sparksieve.demo")
        return int(demo.main(arguments[1:]))
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except SieveError as error:
        print(f"sparksieve: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sparksieve",
        description="Sieve makes Spark drop rows earlier, and never changes a result.",
        epilog="sparksieve COMMAND --help describes a command.",
    )
    parser.add_argument("--version", action="version", version=f"sparksieve {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    doctor = commands.add_parser(
        "doctor",
        help="check that Sieve works here, with a remedy for whatever is wrong",
        description="Checks Python, Java, pyspark, Spark, Scala, the jar, and a session. "
        "Says on stderr what it is about to do. The exit code is 1 when a check fails.",
    )
    doctor.add_argument(
        "--no-session", action="store_true", help="skip the check that starts a Spark session"
    )
    doctor.add_argument(
        "--remote",
        metavar="URL",
        help="check the Spark Connect server at sc://HOST:PORT (default: SPARK_REMOTE if set)",
    )
    doctor.add_argument(
        "--timeout",
        type=float,
        default=180.0,
        metavar="SECONDS",
        help="how long the session check may take (default: %(default)g)",
    )
    doctor.set_defaults(run=_doctor)

    jar = commands.add_parser(
        "jar",
        help="print the path of the jar, for spark-submit --jars",
        description="Prints the path of the jar for the installed Spark, or for the one named.",
    )
    jar.add_argument("--spark", metavar="VERSION", help=f"one of {supported_text()}")
    jar.add_argument("--scala", metavar="VERSION", help="2.12 or 2.13")
    jar.set_defaults(run=_jar)

    configs = commands.add_parser(
        "conf",
        help="list the configs with their docs",
        description="Lists every config: type, default, what is allowed, and what it does. "
        "Set them with spark.conf.set, SET in SQL, --conf, or sparksieve.conf(spark).",
    )
    configs.set_defaults(run=_conf)

    commands.add_parser(
        "demo", help="run queries on real data with Sieve off and on, and compare", add_help=False
    )
    return parser


def _doctor(options: argparse.Namespace) -> int:
    remote = options.remote or os.environ.get("SPARK_REMOTE") or None
    if remote is not None and not remote.startswith("sc://"):
        if options.remote:
            print(f"sparksieve: --remote takes sc://HOST:PORT, not {remote}", file=sys.stderr)
            return 2
        remote = None
    failed = 0
    for check in examine(remote, not options.no_session, options.timeout, _begin):
        print(f"{check.status:<4}  {check.name}: {check.found}", flush=True)
        if check.remedy:
            print(textwrap.indent(check.remedy, "      -> "), flush=True)
        failed += check.status == FAIL
    print(f"{counted(failed, 'check')} failed." if failed else "All checks passed.")
    return 1 if failed else 0


def _begin(step: str) -> None:
    print(step, file=sys.stderr, flush=True)


def _jar(options: argparse.Namespace) -> int:
    spark, scala = options.spark, options.scala
    if spark and not scala and len(SUPPORTED[line_of(spark)]) == 1:
        scala = SUPPORTED[line_of(spark)][0]
    if not spark or not scala:
        install = find_install()
        spark = spark or install.spark_version
        scala = scala or install.scala
    print(bundled_jar(spark, scala))
    return 0


def _conf(_: argparse.Namespace) -> int:
    for config in all_configs():
        print(f"{config.key}  ({config.type}, default {config.default}, since {config.since})")
        print(textwrap.indent(textwrap.fill(config.doc, 92), "    "))
        print(f"    Accepts: {config.allowed}\n")
    return 0
