"""What a case is: one query that an optimisation is expected to change."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

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


@dataclass(frozen=True)
class Tables:
    """The prepared data a case may read.

    ``csv`` and ``parquet`` are folders; the same rows are also there as the views
    :data:`FLIGHTS` and :data:`FLIGHTS_CSV`. ``rows`` counts one table, ``employees`` the rows of
    :data:`EMPLOYEE`, ``lines`` those of :data:`SERVER_LOG`, the sizes are bytes.
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


Query = Union[str, "Callable[[SparkSession, Tables], DataFrame]"]
"""SQL text over the views, or a function that builds the DataFrame."""


@dataclass(frozen=True)
class Case:
    """One query, run with Sieve off and on.

    ``name`` is unique over all rooms and is what ``--cases`` takes. ``title`` is shown, ``why``
    says in a sentence or two what Spark does alone and what changes. ``conf`` is set on both
    sides, for example to put Spark's own rule out of the way.
    """

    name: str
    title: str
    why: str
    query: Query
    conf: Mapping[str, str] = field(default_factory=dict)

    def build(self, spark: SparkSession, tables: Tables) -> DataFrame:
        """A new DataFrame each time: Spark keeps the plan of one that has been run."""
        return spark.sql(self.query) if isinstance(self.query, str) else self.query(spark, tables)

    def text(self) -> str:
        """The query as its author wrote it."""
        if isinstance(self.query, str):
            return textwrap.dedent(self.query).strip()
        return textwrap.dedent(inspect.getsource(self.query)).strip()
