# SPDX-License-Identifier: Apache-2.0
"""The tables of the joins: many employees in the order of their ids, and the departments of some.

Spark generates them from the row number alone, so they are the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EMPLOYEES_A_FLIGHT = 10
"""The number of employees for each flight: the joins need a table worth skipping."""

ASSIGNED = 10
"""One employee in this many has a row in the table of departments."""

FILES = 40
"""The number of files with employees, each with its own range of ids."""

ADMINS = 5
"""The number of members of department ``admin``, spread over all ids."""

IN_OSLO = 1_000
"""The number of members whose office is in Oslo; their ids are close together."""

DEPARTMENTS = "sales support research finance legal logistics"
OFFICES = "Lima Lagos Lyon Osaka Perth Quito Riga Turin"


def employees(spark: SparkSession, rows: int) -> DataFrame:
    """``rows`` employees, ids ascending from file to file."""
    return spark.range(0, rows, 1, FILES).selectExpr(
        "id",
        "concat('employee ', hex(hash(id, 'name'))) AS name",
        "CAST(30000 + pmod(xxhash64(id, 'salary'), 90000) AS INT) AS salary",
        "date_add(DATE'1990-01-01', CAST(pmod(xxhash64(id, 'hired'), 12000) AS INT)) AS hired",
    )


def departments(spark: SparkSession, rows: int) -> DataFrame:
    """Department and office of every tenth of ``rows`` employees.

    :data:`ADMINS` of them are in ``admin`` and :data:`IN_OSLO` in ``Oslo``, if there are as many.
    """
    members = max(1, rows // ASSIGNED)
    apart = max(1, members // ADMINS)

    def choose(name: str, words: str) -> str:
        values = words.split()
        texts = ", ".join(f"'{value}'" for value in values)
        return (
            f"element_at(array({texts}), "
            f"CAST(pmod(xxhash64(id, '{name}'), {len(values)}L) AS INT) + 1)"
        )

    first = members // 2
    oslo = f"id BETWEEN {first} AND {first + IN_OSLO - 1}"
    return spark.range(0, members, 1, 4).selectExpr(
        f"id * {ASSIGNED} AS id",
        f"if(id % {apart} = {apart // 2}, 'admin', {choose('dept', DEPARTMENTS)}) AS dept",
        f"if({oslo}, 'Oslo', {choose('office', OFFICES)}) AS office",
    )
