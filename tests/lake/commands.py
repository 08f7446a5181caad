# SPDX-License-Identifier: Apache-2.0
"""Random commands, the sources that they read, and the settings that they run with."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from .formats import Layout

SIEVE = "spark.sieve.dynamicFilter"


class Command(NamedTuple):
    """A command.

    :param source: the query whose rows the table `src` has
    :param sql: the command; `{t}` stands for the table that it changes
    :param keeps_others: whether rows without a partner in the source stay as they are
    """

    source: str
    sql: str
    keeps_others: bool
    settings: dict[str, str]


def command(dice: Random, layout: Layout) -> Command:
    """A random command for tables of a layout."""
    source, unique = source_rows(dice, layout)
    others = 0 if layout.is_delta else 2
    kind = dice.choices(["merge", "delete", "update"], [7, others, others])[0]
    if kind == "merge":
        sql, keeps = _merge(dice, unique)
        if layout.is_delta and dice.random() < 0.25:
            sql = _evolving(sql)
    else:
        sql, keeps = _by_condition(dice, kind)
    return Command(source, sql, keeps, conf(dice))


def source_rows(dice: Random, layout: Layout) -> tuple[str, bool]:
    """A few keys of the table and a few new ones, each once unless said otherwise."""
    start = dice.randrange(layout.rows)
    number = dice.choice([f"({start} + id)", f"({start} + id * 2)", "(id * 1009 % 5000)"])
    # The source has each key once, and the table has every other key only.
    rows = f"SELECT {layout.select(number, 's')}, CAST(id % 3 AS INT) AS part, id % 4 AS x "
    rows += f"FROM range({dice.choice([1, 5, 20, 60])})"
    unique = dice.random() < 0.9
    if not unique:
        rows = f"{rows} UNION ALL {rows}"
    if dice.random() < 0.3:
        rows += " UNION ALL SELECT NULL, 'none', 1, 0, 1"
    return rows, unique


FORMS = (
    "src",
    "(SELECT * FROM src WHERE x = 1)",
    "(SELECT * FROM src WHERE x > 1 AND v LIKE 's%')",
    "(SELECT k, max(v) AS v, max(n) AS n, max(part) AS part, max(x) AS x FROM src GROUP BY k)",
    "(SELECT a.* FROM src a JOIN (SELECT DISTINCT k FROM src WHERE x < 3) b ON a.k = b.k)",
    "(SELECT * FROM src WHERE x = 0 UNION ALL SELECT * FROM src WHERE x = 2)",
)


def _merge(dice: Random, unique: bool) -> tuple[str, bool]:
    condition = dice.choice(
        [
            "t.k = s.k",
            "t.k = s.k",
            "t.k = s.k AND t.part = s.part",
            "t.k = s.k AND t.n > 4",
            "t.k = s.k AND s.x < 3",
            "t.k <=> s.k",
            "t.k = s.k AND (t.n < s.n OR s.x = 1)",
            "s.k = t.k AND t.v LIKE 't%'",
        ]
    )
    clauses = []
    if dice.random() < 0.8:
        clauses += dice.choice(
            [
                ["WHEN MATCHED THEN UPDATE SET v = s.v"],
                ["WHEN MATCHED AND t.n % 2 = 0 THEN UPDATE SET t.v = s.v, t.n = t.n + s.n"],
                ["WHEN MATCHED AND s.x = 2 THEN DELETE", "WHEN MATCHED THEN UPDATE SET v = s.v"],
                ["WHEN MATCHED THEN DELETE"],
            ]
        )
    if not clauses or dice.random() < 0.7:
        extra = dice.choice(["", "", " AND s.x <> 1"])
        clauses.append(
            f"WHEN NOT MATCHED{extra} THEN INSERT (k, v, n, part) VALUES (s.k, s.v, s.n, s.part)"
        )
    keeps = dice.random() < 0.8
    if not keeps:
        clauses.append(
            dice.choice(
                [
                    "WHEN NOT MATCHED BY SOURCE AND t.n = 3 THEN DELETE",
                    "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 'gone'",
                ]
            )
        )
    # Forms that join the source with itself would raise the cardinality error at other rows.
    form = dice.choice(FORMS if unique else FORMS[:3])
    return f"MERGE INTO {{t}} AS t USING {form} AS s ON {condition} {' '.join(clauses)}", keeps


def _evolving(sql: str) -> str:
    """The command, which adds the columns of the source that the table does not have."""
    sql = sql.replace("MERGE INTO", "MERGE WITH SCHEMA EVOLUTION INTO")
    sql = sql.replace("THEN UPDATE SET v = s.v", "THEN UPDATE SET *")
    return re.sub(r"THEN INSERT \(.*?\) VALUES \(.*?\)", "THEN INSERT *", sql)


def _by_condition(dice: Random, kind: str) -> tuple[str, bool]:
    form = dice.choice(FORMS)
    condition, keeps = dice.choice(
        [
            (f"k IN (SELECT k FROM {form})", True),
            (f"k IN (SELECT k FROM {form}) AND n > 5", True),
            (
                f"EXISTS (SELECT * FROM {form} AS s WHERE s.k = {{t}}.k AND s.part = {{t}}.part)",
                True,
            ),
            (f"EXISTS (SELECT * FROM {form} AS s WHERE s.k = {{t}}.k)", True),
            (f"NOT EXISTS (SELECT * FROM {form} AS s WHERE s.k = {{t}}.k)", False),
            (f"k NOT IN (SELECT k FROM {form} WHERE k IS NOT NULL)", False),
        ]
    )
    if kind == "delete":
        return f"DELETE FROM {{t}} WHERE {condition}", keeps
    return f"UPDATE {{t}} SET v = concat(v, '+'), n = n + 1 WHERE {condition}", keeps


def conf(dice: Random) -> dict[str, str]:
    """Random settings of Spark and Sieve."""
    found = {
        "spark.sql.autoBroadcastJoinThreshold": dice.choice(["-1", "10MB"]),
        "spark.sql.adaptive.enabled": dice.choice(["true", "true", "false"]),
        "spark.sql.codegen.wholeStage": dice.choice(["true", "true", "true", "false"]),
        f"{SIEVE}.bloom.enabled": dice.choice(["true", "false"]),
        f"{SIEVE}.maxKeys": dice.choice(["1000000", "3"]),
    }
    if dice.random() < 0.2:
        found["spark.sql.optimizer.runtime.rowLevelOperationGroupFilter.enabled"] = "false"
    return found
