# SPDX-License-Identifier: Apache-2.0
"""A case of the demo: one query that an optimisation is expected to change."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional, Union

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FLIGHTS = "flights"
"""The temporary view of the flights in Parquet, with typed columns."""

FLIGHTS_CSV = "flights_csv"
"""The temporary view of the same rows as CSV: all columns are strings, unknown values ``NA``."""

EMPLOYEE = "employee"
"""The temporary view of the large table of the joins: Parquet, ordered by its key ``id``."""

DEPARTMENT = "department"
"""The temporary view of the joins' small table: ``id``, ``dept``, ``office`` of some employees."""

SERVER_LOG = "server_log"
"""The temporary view of the server log: Parquet, ordered by time."""

CARS = "cars"
"""The temporary view of the cars of the bulk filters: ``color``, ``brand``, ``region``."""

CAR_FILTERS = "car_filters"
"""The folder of the bulk filters' files, ``A.parquet`` to ``D.parquet``, each with one column
``value``; the temporary views ``car_filter_a`` to ``car_filter_d`` have the same rows."""


@dataclass(frozen=True)
class Tables:
    """The prepared data that a case may read.

    ``csv`` and ``parquet`` are folders with the same rows, which are also the views
    :data:`FLIGHTS_CSV` and :data:`FLIGHTS`. ``rows`` is the number of rows of each of them,
    ``employees`` that of :data:`EMPLOYEE`, ``lines`` of :data:`SERVER_LOG`, ``cars`` of
    :data:`CARS`, and ``values`` of the largest file in the folder ``filters``. Sizes are in bytes.
    ``folder`` is the path of all these files; cases may keep copies there.
    """

    source: str
    csv: str
    parquet: str
    rows: int
    csv_bytes: int
    parquet_bytes: int
    employees: int
    employee_bytes: int
    lines: int
    log_bytes: int
    cars: int
    car_bytes: int
    values: int
    filters: str
    folder: str


Query = Union[str, "Callable[[SparkSession, Tables], DataFrame]"]
"""SQL text over the views, or a function that builds the DataFrame."""


@dataclass(frozen=True)
class Case:
    """One query, run with Sieve off and on.

    ``name`` is unique over all features; ``--cases`` takes it. ``title`` is shown. ``why`` says in
    a sentence or two what Spark does without Sieve, and what changes. ``conf`` is set on both
    sides, for example to disable Spark's own rule. ``alone`` is the same query for the side
    without Sieve, if ``query`` uses functions that only Sieve has. ``short`` cases are the
    few that show what each feature is for; the demo runs only them, unless ``--full`` is given.
    ``change`` says what changed where the operators do not show it.
    """

    name: str
    title: str
    why: str
    query: Query
    conf: Mapping[str, str] = field(default_factory=dict)
    alone: Optional[Query] = None
    short: bool = False
    change: Optional[str] = None

    def build(self, spark: SparkSession, tables: Tables, sieve: bool = True) -> DataFrame:
        """Builds a new DataFrame each time, because Spark keeps the plan of one that has run."""
        query = self.query if sieve or self.alone is None else self.alone
        return spark.sql(query) if isinstance(query, str) else query(spark, tables)

    def text(self) -> str:
        """The query as written, and the query that runs without Sieve if it is another."""
        if self.alone is None:
            return _source(self.query)
        return f"{_source(self.query)}\n\nwithout Sieve:\n\n{_source(self.alone)}"


def _source(query: Query) -> str:
    text = query if isinstance(query, str) else inspect.getsource(query)
    return textwrap.dedent(text).strip()
