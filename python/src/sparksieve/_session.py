# SPDX-License-Identifier: Apache-2.0
"""Queries about a session, the same for classic PySpark and Spark Connect."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sparksieve._setup.install import INSTALL_HINT
from sparksieve.errors import NoSessionError, SieveNotActiveError, SparkNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame, SparkSession

EXTENSION = "io.sparksieve.SieveExtensions"

# On every Spark line the message names this condition, on classic PySpark and over Connect.
_UNRESOLVED = "UNRESOLVABLE_TABLE_VALUED_FUNCTION"


def is_active(spark: SparkSession) -> bool:
    """Whether the session has Sieve's extension, on classic PySpark and over Connect.

    A session can have the setting but lack the extension (Spark only logs a warning when the jar
    is missing), so this calls one of the extension's table functions.
    """
    try:
        info(spark)
    except SieveNotActiveError:
        return False
    return True


def info(spark: SparkSession) -> list[tuple[str, str]]:
    """The rows of `sieve_info()`: version, Spark, Scala, Java and every Sieve jar found.

    Raises `SieveNotActiveError` when the session lacks the extension.
    """
    return [
        (row["key"], row["value"]) for row in call(spark, "SELECT key, value FROM sieve_info()")
    ]


def call(spark: SparkSession, sql: str, **args: Any) -> list[Any]:
    """Runs SQL that uses Sieve's table functions and returns its rows.

    Raises `SieveNotActiveError` when the functions are unknown to the session.
    """
    from pyspark.errors import AnalysisException

    try:
        return spark.sql(sql, args=args or None).collect()
    except AnalysisException as unresolved:
        message = str(unresolved)
        if _UNRESOLVED in message and "`sieve_" in message:
            raise not_active(spark) from None
        raise


def from_jvm(spark: SparkSession, name: str, read: Callable[[Any], Any]) -> str:
    """The text that `read` gets from Sieve's table function `name` within the JVM.

    Raises `SieveNotActiveError` when the session lacks the jar or the extension.
    """
    from py4j.java_gateway import JavaClass

    jvm: Any = spark._jvm
    function = getattr(jvm.io.sparksieve.report.sql, name)
    # Without the jar, the name is that of a package.
    found = read(function) if isinstance(function, JavaClass) else None
    if found is None:
        raise not_active(spark)
    return str(found)


@contextmanager
def temporary_view(spark: SparkSession, query: DataFrame, purpose: str) -> Iterator[str]:
    """The name of a view of the query, which exists while the block runs."""
    view = f"sparksieve_{purpose}_{uuid.uuid4().hex}"
    query.createTempView(view)
    try:
        yield view
    finally:
        spark.catalog.dropTempView(view)


def not_active(spark: SparkSession) -> SieveNotActiveError:
    """The error for a session without the extension, with the remedy for this kind of session."""
    if is_connect(spark):
        return SieveNotActiveError(
            "The Spark Connect server of this session runs without Sieve. Extensions load only "
            "when the server starts: start it with --jars <the jar that `python -m sparksieve jar` "
            f"prints> --conf spark.sql.extensions={EXTENSION}, then connect again. "
            "`python -m sparksieve doctor --remote <url>` checks it."
        )
    return SieveNotActiveError(
        "This session runs without Sieve. Extensions load only when a session starts: stop it, "
        "restart Python, and start it through sparksieve.configure(SparkSession.builder)"
        ".getOrCreate(); or give spark-submit --jars <the jar that `python -m sparksieve jar` "
        f"prints> --conf spark.sql.extensions={EXTENSION}. `python -m sparksieve doctor` shows "
        "what is missing."
    )


def is_connect(spark: SparkSession) -> bool:
    """Whether the session talks to a Spark Connect server."""
    return any(base.__module__.startswith("pyspark.sql.connect") for base in type(spark).__mro__)


def is_data_frame(value: object) -> bool:
    """Whether the value is a DataFrame, of classic PySpark or of Spark Connect."""
    return _is_of_spark(value, "DataFrame")


def is_session(value: object) -> bool:
    """Whether the value is a session, of classic PySpark or of Spark Connect."""
    return _is_of_spark(value, "SparkSession")


def _is_of_spark(value: object, name: str) -> bool:
    # On Spark 3.5, the classes of classic PySpark and of Spark Connect have no common base.
    return any(
        base.__name__ == name and base.__module__.startswith("pyspark.sql.")
        for base in type(value).__mro__
    )


def active_session() -> SparkSession:
    """The active session of this thread. Raises `NoSessionError` when there is none."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as missing:
        raise SparkNotFoundError(f"pyspark is not installed. {INSTALL_HINT}.") from missing

    session = SparkSession.getActiveSession()
    if session is None:
        raise NoSessionError(
            "There is no active Spark session to run this in: pass one, as in "
            "sparksieve.report(sql, spark=spark)."
        )
    return session
