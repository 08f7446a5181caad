# SPDX-License-Identifier: Apache-2.0
"""Random joins of a lake table with a few keys."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from .commands import FORMS, conf, source_rows
from .formats import Layout


class Query(NamedTuple):
    """A query.

    :param source: the query whose rows the table `src` has
    :param sql: the query, whose columns have different names; `{t}` and `{u}` stand for two tables
        of one layout, `{old}` for an earlier state of the first
    """

    source: str
    sql: str
    settings: dict[str, str]


#: What is joined with the keys, with columns k, v, n and part.
SIDES = (
    "{t}",
    "{t}",
    "{t}",
    "{old}",
    "(SELECT k, v, n, part FROM {t} WHERE n > 3)",
    "(SELECT k, v, n, part FROM {t} WHERE part = 1 OR v LIKE 't1%')",
    "(SELECT k, upper(v) AS v, n + 1 AS n, part FROM {t})",
    "(SELECT k, max(v) AS v, sum(n) AS n, min(part) AS part FROM {t} GROUP BY k)",
    "(SELECT DISTINCT k, v, n, part FROM {t})",
    "(SELECT k, v, row_number() OVER (PARTITION BY k ORDER BY v, n, part) AS n, part FROM {t})",
    "(SELECT k, v, n, part FROM {t} UNION ALL SELECT k, v, n, part FROM {u})",
    "(SELECT k, v, n, part FROM {old} UNION ALL SELECT k, v, n, part FROM {t} WHERE n < 9)",
    "(SELECT a.k, a.v, b.n, b.part FROM {t} a JOIN {u} b ON a.k = b.k)",
    "(SELECT a.k, b.v, a.n, b.part FROM {t} a LEFT JOIN {t} b ON a.k = b.k AND a.n = b.n)",
)

CONDITIONS = (
    "t.k = s.k",
    "t.k = s.k",
    "t.k = s.k AND t.part = s.part",
    "t.n = s.n AND t.k = s.k",
    "t.part = s.part AND t.n = s.n",
    "t.k <=> s.k",
    "t.k = s.k AND (t.n < s.n OR s.x = 1)",
)

OF_BOTH = "t.k, t.v, t.n, t.part, s.v AS sv, s.x"

JOINS = {
    "JOIN": OF_BOTH,
    "LEFT JOIN": OF_BOTH,
    "RIGHT JOIN": OF_BOTH,
    "FULL JOIN": OF_BOTH,
    "LEFT SEMI JOIN": "t.k, t.v, t.n, t.part",
    "LEFT ANTI JOIN": "t.k, t.v, t.n, t.part",
}


def query(dice: Random, layout: Layout) -> Query:
    """A random query over tables of a layout."""
    source, _ = source_rows(dice, layout)
    side, condition, form = dice.choice(SIDES), dice.choice(CONDITIONS), dice.choice(FORMS[1:])
    if dice.random() < 0.3:
        where = dice.choice(
            [
                f"k IN (SELECT k FROM {form})",
                f"n < 9 AND k IN (SELECT k FROM {form})",
                f"EXISTS (SELECT * FROM {form} AS s WHERE {condition})",
                f"NOT EXISTS (SELECT * FROM {form} AS s WHERE {condition})",
                f"k IN (SELECT k FROM {form}) OR n = 3",
                f"part = (SELECT max(part) FROM {form}) AND k IN (SELECT k FROM {form})",
            ]
        )
        sql = f"SELECT t.k, t.v, t.n, t.part FROM {side} AS t WHERE {where}"
    else:
        join = dice.choices(list(JOINS), [6, 1, 2, 1, 2, 1])[0]
        columns, left, right = JOINS[join], f"{side} AS t", f"{form} AS s"
        if side == "{t}" and dice.random() < 0.15:
            columns += ", t._metadata.file_name" if layout.is_delta else ", t._file"
        if join in ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN") and dice.random() < 0.4:
            left, right = right, left
        sql = f"SELECT {columns} FROM {left} {join} {right} ON {condition}"
        if dice.random() < 0.15:
            sql += f" JOIN {{u}} AS u ON u.k = t.k AND u.n = {dice.randrange(17)}"
    if dice.random() < 0.2:
        sql = f"SELECT count(*) AS c, sum(n) AS n, max(v) AS v FROM ({sql})"
    return Query(source, sql, conf(dice))
