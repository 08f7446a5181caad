# SPDX-License-Identifier: Apache-2.0
"""Advice as Sieve writes it, for tests of its text and HTML without a JVM."""

from __future__ import annotations

from typing import Any

from sparksieve import Advice
from sparksieve._advise.types import query_of, table_of

PATH = "file:/data/of/the/department/events"


def shares(part: float) -> dict[str, float]:
    """The same share of files, row groups and bytes."""
    return {"files": part, "row_groups": part, "bytes": part}


def layout(kind: str, columns: list[str], part: float) -> dict[str, Any]:
    """A layout of which the queries read a share."""
    return {
        "kind": kind,
        "columns": columns,
        "shrink": 1,
        "text": f"{kind} by {', '.join(columns)}",
        "size": {"files": 4, "row_groups": 4, "rows": 1000, "bytes": 2_500_000},
        "read": shares(part),
        "gain": 1 - part,
        "uncertainty": 0.012,
        "bytes_to_rewrite": 2_500_000,
        "language": "python",
        "statement": '(spark.read\n    .parquet("<&>"))',
        "queries": [{"query": 1, "read": shares(part)}],
    }


def table(outcome: str = "rewrite", **changes: Any) -> dict[str, Any]:
    """A table of the document."""
    bars = [{"from": 0.0, "to": 1.0, "min": "0", "max": "9"}] * 4
    after = [{"from": i / 4, "to": (i + 1) / 4, "min": str(i), "max": str(i + 1)} for i in range(4)]
    found: dict[str, Any] = {
        "table": PATH,
        "format": "parquet",
        "outcome": outcome,
        "reason": "sort by k: the queries would read 25.0 % of the bytes instead of 100.0 %.",
        "partition_columns": [],
        "size": {"files": 4, "row_groups": 4, "rows": 1000, "bytes": 2_500_000},
        "sample_rows": 1000,
        "today": shares(1.0),
        "queries": [
            {
                "query": 1,
                "weight": 1.0,
                "predicates": ["k = 5"],
                "keys": ["j in 3 ranges"],
                "unused": ["upper(s) = '<b>'"],
                "today": shares(1.0),
            }
        ],
        "layouts": [layout("sort", ["k"], 0.25), layout("sort", ["k", "j"], 0.25)],
        "picture": {"column": "k", "low": "0", "high": "9", "today": bars, "after": after},
        "notes": [],
    }
    return {**found, **changes}


def declined(reason: str) -> dict[str, Any]:
    """A table about which nothing is known."""
    nothing: dict[str, Any] = dict.fromkeys(("size", "today", "picture"))
    return table("declined", reason=reason, sample_rows=0, layouts=[], queries=[], **nothing)


def advice(*tables: dict[str, Any], scope: str = "query") -> Advice:
    """Advice on tables for one query."""
    query = {"id": 1, "text": "events: k = 5", "runs": 2, "seconds": 12.5}
    return Advice(scope, [query_of(query)], [table_of(one) for one in tables], 12.5)
