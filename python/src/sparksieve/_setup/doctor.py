# SPDX-License-Identifier: Apache-2.0
"""`python -m sparksieve doctor`: checks every requirement of Sieve, and names remedies."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sparksieve._session import EXTENSION
from sparksieve._setup.install import (
    SparkInstall,
    check_spark_home,
    find_install,
    pyspark_version,
    scala_of,
    spark_home_differs,
)
from sparksieve._setup.jars import JAR_NAME, bundled_jar, check_jar, sieve_jars_in
from sparksieve._setup.java import java_tested, require_java
from sparksieve._setup.probe import ProbeResult, run_probe
from sparksieve._setup.submit import read_defaults, split_list, submit_args
from sparksieve._version import __version__
from sparksieve.errors import SieveError

OK = "OK"
WARN = "WARN"
FAIL = "FAIL"

_START_SERVER = (
    "Start the server with --jars <the jar that `python -m sparksieve jar` prints> "
    f"--conf spark.sql.extensions={EXTENSION}."
)


@dataclass(frozen=True)
class Check:
    """The outcome of one check: `status` is OK, WARN or FAIL; `remedy` is empty when OK."""

    name: str
    status: str
    found: str
    remedy: str = ""


def examine(
    remote: str | None = None,
    session: bool = True,
    timeout: float = 180.0,
    begin: Callable[[str], None] = lambda _: None,
) -> Iterator[Check]:
    """Runs the checks one by one.

    Args:
        remote: the URL of a Spark Connect server to check instead of a local session.
        session: whether to start (or connect to) a session.
        timeout: seconds that the session check may take.
        begin: called with one line as each step begins.
    """
    yield _python()
    install: SparkInstall | None = None
    begin("Looking for pyspark ..." if remote else "Looking for pyspark and Spark ...")
    if remote:
        yield _client()
    else:
        for check, found in _local_spark():
            install = install or found
            yield check
        begin("Asking Java for its version ...")
        yield _java(install)
        if install is not None:
            begin("Looking for Sieve's jar, and for others of it ...")
            yield from _jars(install)
    if session and (remote or install is not None):
        doing = f"Connecting to {remote}" if remote else "Starting a Spark session with Sieve"
        begin(f"{doing} and running a test query (may take a minute) ...")
        yield from _session(run_probe(remote, timeout), remote, install)


def _python() -> Check:
    # An older Python than 3.9 cannot import this package at all: pip refuses to install it.
    return Check("Python", OK, f"{platform.python_version()} ({sys.executable})")


def _client() -> Check:
    try:
        return Check("pyspark", OK, f"{pyspark_version()} (client)")
    except SieveError as missing:
        return _failed("pyspark", missing)


def _local_spark() -> Iterator[tuple[Check, SparkInstall | None]]:
    try:
        version = pyspark_version()
        yield Check("pyspark", OK, version), None
    except SieveError as missing:
        yield _failed("pyspark", missing), None
        return
    spark_home = os.environ.get("SPARK_HOME")
    try:
        install = find_install()
        if spark_home:
            yield _spark_home(install), None
        line = install.line
        yield Check("Spark", OK, f"{install.spark_version} (line {line}) at {install.home}"), None
    except SieveError as wrong:
        yield _failed("Spark", wrong), None
        return
    try:
        scala_of(install.scala, line)
        yield Check("Scala", OK, install.scala), install
    except SieveError as wrong:
        yield _failed("Scala", wrong), None


def _spark_home(install: SparkInstall) -> Check:
    if install.spark_version == install.pyspark_version:
        return Check("SPARK_HOME", OK, f"{install.home}, the same version as pyspark")
    try:
        check_spark_home(install)
    except SieveError as differs:
        return _failed("SPARK_HOME", differs)
    return _failed("SPARK_HOME", spark_home_differs(install), WARN)


def _java(install: SparkInstall | None) -> Check:
    line = install.line if install else None
    try:
        java, major = require_java(line)
    except SieveError as missing:
        return _failed("Java", missing)
    if not java_tested(line, major):
        return Check(
            "Java",
            WARN,
            f"{major} ({java}); Spark {line} supports 8, 11 and 17",
            "If Spark fails to start, set JAVA_HOME to a Java 17.",
        )
    return Check("Java", OK, f"{major} ({java})")


def _jars(install: SparkInstall) -> Iterator[Check]:
    jar: Path | None = None
    try:
        jar = bundled_jar(install.spark_version, install.scala)
        facts = check_jar(jar, install.line, install.scala)
        if facts.version != __version__:
            yield Check(
                "Jar",
                FAIL,
                f"{jar} holds version {facts.version}, but this package is {__version__}",
                "Reinstall it: pip install --force-reinstall sparksieve",
            )
        else:
            yield Check("Jar", OK, str(jar))
    except SieveError as wrong:
        yield _failed("Jar", wrong)
    yield _one_version([str(path) for path in [*_set_elsewhere(install), *([jar] if jar else [])]])


def _set_elsewhere(install: SparkInstall) -> list[str]:
    """Sieve jars that reach the class path without `configure`."""
    args = submit_args()
    defaults = read_defaults(install.home, args)
    named = split_list(args.jars)
    for source in (args.conf, defaults):
        named += split_list(source.get("spark.jars"))
        named += (source.get("spark.driver.extraClassPath") or "").split(os.pathsep)
    found = [path for path in named if JAR_NAME.search(path)]
    return [*map(str, sieve_jars_in(install.jars)), *found]


def _one_version(locations: list[str]) -> Check:
    """Checks that the Sieve jars on the class path, now or later, are the same: paths or URLs."""
    name = "One jar version"
    kinds: dict[str, str] = {}
    for location in locations:
        found = JAR_NAME.search(location)
        if found:
            kinds.setdefault(" ".join(found.groups()), location)
    if len(kinds) > 1:
        return Check(
            name,
            FAIL,
            "different Sieve jars on the class path: " + ", ".join(sorted(kinds.values())),
            "It is undefined which one Spark loads: keep the one that `python -m sparksieve jar` "
            "prints and remove the others from Spark's jars folder, spark.jars, "
            "spark.driver.extraClassPath, spark-defaults.conf and PYSPARK_SUBMIT_ARGS.",
        )
    none = "no Sieve jar yet; sparksieve.configure adds it"
    return Check(name, OK, next(iter(kinds.values()), none))


def _session(
    probe: ProbeResult, remote: str | None, install: SparkInstall | None
) -> Iterator[Check]:
    where = f"Spark Connect server {remote}" if remote else "a fresh local session"
    if probe.error:
        log = f" Spark's log ends: {probe.log}" if probe.log else ""
        unreachable = "Check that the server runs and that the URL is right. " + _START_SERVER
        remedy = unreachable if remote else f"Fix the error above.{log}"
        yield Check("Session", FAIL, f"{where}: {probe.error}", remedy)
        return
    facts = dict(probe.info)
    yield Check("Session", OK, f"{where}: Spark {facts.get('spark')}, Scala {facts.get('scala')}")
    version = facts.get("version")
    if version == __version__:
        yield Check("Extension", OK, f"active, version {version}")
    else:
        yield Check(
            "Extension",
            FAIL,
            f"the jar in use is {version}, but this package is {__version__}",
            _START_SERVER if remote else "Remove the other jar; see the class path above.",
        )
    # A row is "<version> <url>". The same file may appear twice: on the class path, and as a copy
    # that Spark fetched.
    yield _loaded_versions([value for key, value in probe.info if key == "jar"])
    if probe.applied:
        yield Check("Rewriting", OK, f"a test query was rewritten by {probe.applied}")
    else:
        yield Check(
            "Rewriting",
            FAIL,
            "the extension is loaded, but did not rewrite a test query that it should rewrite",
            "Print sparksieve.report(df) for the reason, and report it as a bug.",
        )


def _loaded_versions(rows: list[str]) -> Check:
    versions = sorted({row.partition(" ")[0] for row in rows})
    urls = [row.partition(" ")[2] for row in rows]
    if len(versions) > 1:
        return Check(
            "Loaded jars",
            FAIL,
            f"versions {' and '.join(versions)} are on the class path together: {', '.join(urls)}",
            "It is undefined which one Spark loads: remove all but one.",
        )
    judged = _one_version(urls)
    return Check("Loaded jars", judged.status, judged.found, judged.remedy)


def _failed(name: str, error: SieveError, status: str = FAIL) -> Check:
    """A failed check. Errors of this package name the remedy after their first sentence."""
    found, _, remedy = str(error).partition(". ")
    return Check(name, status, found, remedy)
