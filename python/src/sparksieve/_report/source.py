# SPDX-License-Identifier: Apache-2.0
"""Where the report of a query comes from: a call into the JVM, or one query on Spark Connect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from sparksieve._session import (
    active_session,
    call,
    from_jvm,
    is_connect,
    is_data_frame,
    temporary_view,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def session_of(query: DataFrame | str, spark: SparkSession | None) -> SparkSession:
    """The session of a query, or the one to plan its SQL text in.

    Raises:
        TypeError: `query` is neither a DataFrame nor text.
        NoSessionError: `query` is SQL text, and there is no session.
    """
    if not isinstance(query, str) and not is_data_frame(query):
        raise TypeError(
            "sparksieve.report accepts a DataFrame, SQL text, or the name of a view or table, not "
            f"a value of type {type(query).__name__}."
        )
    return (spark or active_session()) if isinstance(query, str) else query.sparkSession


def document(session: SparkSession, query: DataFrame | str) -> dict[str, Any]:
    """The lists "rows", "plans", "orders" and "scans", each of rows as dictionaries.

    The query is not run. On classic PySpark nothing is: no query appears in the Spark UI.

    Raises:
        SieveNotActiveError: the session runs without Sieve.
    """
    text = _by_query(session, query) if is_connect(session) else _by_jvm(session, query)
    return cast("dict[str, Any]", json.loads(text))


def _by_jvm(session: SparkSession, query: DataFrame | str) -> str:
    def read(function: Any) -> Any:
        if isinstance(query, str):
            return function.ofText(session._jsparkSession, query)
        return function.ofQuery(query._jdf.queryExecution())

    return from_jvm(session, "SieveJson", read)


def _by_query(session: SparkSession, query: DataFrame | str) -> str:
    if isinstance(query, str):
        return str(call(session, "SELECT json FROM sieve_json(:query)", query=query)[0]["json"])
    with temporary_view(session, query, "report") as view:
        return _by_query(session, view)
