# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: S608
"""The queries and commands that run beside each extension."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .kinds import Neighbour

COLUMNS = "id, k, v, s"
KEYS = range(0, 100, 7)


class Step(NamedTuple):
    """A query, or a command with the query that shows what it did.

    :param confs: of the session, while it runs
    :param plainly: the same query without functions of Sieve's
    """

    name: str
    sql: str
    shows: str = ""
    confs: tuple[tuple[str, str], ...] = ()
    plainly: str = ""


SHUFFLED = (("spark.sql.autoBroadcastJoinThreshold", "-1"),)
TARGET = f"SELECT {COLUMNS} FROM target"


def tables(neighbour: Neighbour, folder: Path) -> list[str]:
    """SQL that makes the tables `fact`, `dim` and `target`. The file of keys is written here."""
    (folder / "keys.csv").write_text("".join(f"{key}\n" for key in KEYS))
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in neighbour.properties.items())
    using = f"USING {neighbour.format}" + (f" TBLPROPERTIES ({listed})" if listed else "")
    fact = (
        "SELECT id, CAST(id DIV 200 AS INT) AS k, CAST(id % 101 AS INT) AS v, "
        "concat('s', id % 500) AS s FROM range(0, {0}, 1, 8)"
    )
    dim = "SELECT id, CAST(id AS INT) AS k, CAST(id % 10 AS INT) AS tag FROM range(0, 400, 1, 2)"
    use = [f"CREATE NAMESPACE IF NOT EXISTS {neighbour.catalog}.db", f"USE {neighbour.catalog}.db"]
    return (use if neighbour.catalog else []) + [
        f"CREATE TABLE fact {using} AS {fact.format(20_000)}",
        f"CREATE TABLE dim {using} AS {dim}",
        f"CREATE TABLE target {using} AS {fact.format(4_000)}",
    ]


def steps(neighbour: Neighbour, folder: Path) -> list[Step]:
    """The steps, in order: each sees what the commands before it did."""
    source = "(SELECT k FROM dim WHERE tag = 3 AND k < 15)"
    join = "SELECT f.id, f.v, d.tag FROM fact f JOIN dim d ON f.k = d.k WHERE d.tag = 3"
    filtered = f"SELECT {COLUMNS} FROM fact WHERE"
    queries = [
        Step("except", f"{filtered} k > 10 EXCEPT {filtered} v < 50"),
        Step(
            "except all",
            "SELECT v FROM fact WHERE k > 10 EXCEPT ALL SELECT v FROM fact WHERE v < 50",
        ),
        Step(
            "intersect", "SELECT k FROM fact WHERE v > 5 INTERSECT SELECT k FROM fact WHERE k < 90"
        ),
        Step("union", f"{filtered} k > 50 UNION {filtered} v < 50"),
        Step(
            "not exists",
            f"SELECT {COLUMNS} FROM fact o WHERE v > 3 AND NOT EXISTS "
            "(SELECT 1 FROM fact i WHERE i.id = o.id AND i.v < 60)",
        ),
        Step("broadcast join", join),
        Step("shuffled join", join, confs=SHUFFLED),
        Step(
            "predicates",
            "SELECT id FROM fact WHERE v % 7 < 5 AND s LIKE '%1%' AND k BETWEEN 5 AND 90",
        ),
        Step(
            "values of a file",
            f"SELECT id FROM fact WHERE in_file(k, '{folder / 'keys.csv'}')",
            plainly=f"SELECT id FROM fact WHERE k IN ({', '.join(map(str, KEYS))})",
        ),
        Step(
            "aggregate",
            "SELECT d.tag, count(*), sum(f.v) FROM fact f JOIN dim d ON f.k = d.k "
            "WHERE d.tag < 2 AND f.v > 9 AND f.s > 's2' GROUP BY d.tag",
        ),
    ]
    commands = [
        Step(
            "insert",
            "INSERT INTO target SELECT id + 100000, k, v, s FROM fact WHERE v = 3",
            TARGET,
        ),
        Step("update", f"UPDATE target SET v = v + 1000 WHERE k IN {source}", TARGET),
        Step("delete", f"DELETE FROM target WHERE k IN {source} AND v > 1050", TARGET),
        Step(
            "merge",
            "MERGE INTO target t USING (SELECT id * 40 AS id, k, tag FROM dim WHERE tag = 3) d "
            "ON t.id = d.id WHEN MATCHED THEN UPDATE SET v = d.tag "
            "WHEN NOT MATCHED THEN INSERT (id, k, v, s) VALUES (d.id, d.k, d.tag, 'new')",
            TARGET,
        ),
        Step("what is left", f"{TARGET} WHERE v > 60 EXCEPT {TARGET} WHERE s LIKE '%1'"),
    ]
    return queries + (commands if neighbour.changes else [])
