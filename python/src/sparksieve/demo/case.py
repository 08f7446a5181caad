"""What a case is: one query that an optimisation is expected to change."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional, Union

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FLIGHTS = "flights"
"""The temporary view of the Parquet table, typed; a case's SQL reads it by this name."""

FLIGHTS_CSV = "flights_csv"
"""The temporary view of the same rows as CSV, all columns strings, unknown values ``NA``."""

EMPLOYEE = "employee"
"""The temporary view of the large table of the joins, Parquet, in the order of its key ``id``."""

DEPARTMENT = "department"
"""The temporary view of the small one: ``dept`` and ``office`` of some employees, by ``id``."""

SERVER_LOG = "server_log"
"""The temporary view of what servers logged, Parquet, in the order of time."""

CARS = "cars"
"""The temporary view of the cars of the bulk filters: ``color``, ``brand``, ``region``."""

CAR_FILTERS = "car_filters"
"""The folder of their files of values, ``A.parquet`` to ``D.parquet``, each one column ``value``;
they are the temporary views ``car_filter_a`` to ``car_filter_d`` too."""


@dataclass(frozen=True)
class Tables:
    """The prepared data a case may read.

    ``csv`` and ``parquet`` are folders; the same rows are also there as the views
    :data:`FLIGHTS` and :data:`FLIGHTS_CSV`. ``rows`` counts one table, ``employees`` the rows of
    :data:`EMPLOYEE`, ``lines`` those of :data:`SERVER_LOG`, ``cars`` those of :data:`CARS`, and
    ``values`` of their largest filter, which are in the folder ``filters``; the sizes are bytes.
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


Query = Union[str, "Callable[[SparkSession, Tables], DataFrame]"]
"""SQL text over the views, or a function that builds the DataFrame."""


@dataclass(frozen=True)
class Case:
    """One query, run with Sieve off and on.

    ``name`` is unique over all rooms and is what ``--cases`` takes. ``title`` is shown, ``why``
    says in a sentence or two what Spark does alone and what changes. ``conf`` is set on both
    sides, for example to put Spark's own rule out of the way. ``alone`` is the same query for the
    side without Sieve, where ``query`` uses functions that only Sieve has.
    """

    name: str
    title: str
    why: str
    query: Query
    conf: Mapping[str, str] = field(default_factory=dict)
    alone: Optional[Query] = None

    def build(self, spark: SparkSession, tables: Tables, sieve: bool = True) -> DataFrame:
        """A new DataFrame each time: Spark keeps the plan of one that has been run."""
        query = self.query if sieve or self.alone is None else self.alone
        return spark.sql(query) if isinstance(query, str) else query(spark, tables)

    def text(self) -> str:
        """The query as its author wrote it, and what is run without Sieve if that is another."""
        if self.alone is None:
            return _source(self.query)
        return f"{_source(self.query)}\n\nwithout Sieve:\n\n{_source(self.alone)}"


def _source(query: Query) -> str:
    text = query if isinstance(query, str) else inspect.getsource(query)
    return textwrap.dedent(text).strip()
