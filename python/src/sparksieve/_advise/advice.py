# SPDX-License-Identifier: Apache-2.0
"""Advice on table layouts: what queries read of the files, and would read of other layouts."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sparksieve._advise.html import advice_html
from sparksieve._advise.text import advice_text
from sparksieve._advise.types import query_of, table_of
from sparksieve._session import (
    active_session,
    call,
    from_jvm,
    is_connect,
    is_data_frame,
    is_session,
    temporary_view,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from sparksieve._advise.types import AdvisedQuery, TableAdvice


class Advice:
    """The advice on the tables of one query, or of all queries that ran in a session.

    `scope` is "query" or "session". `tables` has the tables with most to gain first, and `seconds`
    is the time of all runs of the queries (`None`: none has run). Notebooks show it with a picture
    of each table: the ranges of the column in its files, today and after.
    """

    def __init__(
        self,
        scope: str,
        queries: list[AdvisedQuery],
        tables: list[TableAdvice],
        seconds: float | None = None,
    ) -> None:
        self.scope = scope
        self.queries = queries
        self.tables = tables
        self.seconds = seconds

    @property
    def rewrites(self) -> list[TableAdvice]:
        """The tables for which a better layout was found."""
        return [table for table in self.tables if table.outcome == "rewrite"]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "scope": self.scope,
            "seconds": self.seconds,
            "queries": [asdict(query) for query in self.queries],
            "tables": [asdict(table) for table in self.tables],
        }

    def show(self) -> None:
        """Prints the advice."""
        print(self)

    def __str__(self) -> str:
        return advice_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return advice_html(self)


def advise(query: DataFrame | str | SparkSession, spark: SparkSession | None = None) -> Advice:
    """Says how tables should be laid out in files so that a query reads less; changes nothing.

    Reads the footers and the metadata of the tables, and a sample of their rows. Predicts for each
    layout which share of files, row groups and bytes would be read. Advises on Parquet files, Delta
    and Iceberg tables. `spark.sieve.advise.sampleRows` sets the size of the sample.

    Args:
        query: a DataFrame, or SQL text, or the name of a view or table; or a session, for all
            queries that have run in it, weighted by their times.
        spark: the session for SQL text (default: the active session).

    Raises:
        TypeError: `query` is something else, such as a Column.
        SieveNotActiveError: the session runs without Sieve.
        NoSessionError: `query` is SQL text, and there is no session.
    """
    found = _document(query, spark)
    return Advice(
        found["scope"],
        [query_of(one) for one in found["queries"]],
        [table_of(one) for one in found["tables"]],
        found["seconds"],
    )


def _document(query: Any, spark: SparkSession | None) -> dict[str, Any]:
    if not (isinstance(query, str) or is_data_frame(query) or is_session(query)):
        raise TypeError(
            "sparksieve.advise accepts a DataFrame, SQL text, the name of a view or table, or a "
            f"SparkSession, not a value of type {type(query).__name__}."
        )
    if isinstance(query, str):
        session = spark or active_session()
    else:
        session = query if is_session(query) else query.sparkSession
    text = _by_query(session, query) if is_connect(session) else _by_jvm(session, query)
    found: dict[str, Any] = json.loads(text)
    return found


def _by_jvm(session: SparkSession, query: Any) -> str:
    def read(function: Any) -> Any:
        if isinstance(query, str):
            return function.ofText(session._jsparkSession, query)
        if is_data_frame(query):
            return function.ofQuery(query._jdf.queryExecution())
        return function.ofSession(session._jsparkSession)

    return from_jvm(session, "SieveAdvise", read)


def _by_query(session: SparkSession, query: Any) -> str:
    if is_data_frame(query):
        with temporary_view(session, query, "advise") as view:
            return _by_query(session, view)
    # Connect analyses a query twice; by the id, the advice is computed once.
    one = uuid.uuid4().hex
    if isinstance(query, str):
        rows = call(
            session, "SELECT json FROM sieve_advise_json(:one, :query)", one=one, query=query
        )
    else:
        rows = call(session, "SELECT json FROM sieve_advise_json(:one)", one=one)
    return str(rows[0]["json"])
