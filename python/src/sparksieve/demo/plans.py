# SPDX-License-Identifier: Apache-2.0
"""Plans as text, and whether they differ in more than their ids."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_IDS = re.compile(r"#\d+L?|\bplan_id=\d+|\[id=#?\d+\]|subquery#\d+")


@dataclass(frozen=True)
class Plans:
    """The optimized and the physical plan of one query, as Spark prints them."""

    optimized: str
    physical: str


def plans(query: DataFrame) -> Plans:
    """The plans of ``query`` under the current settings; it is planned, not run.

    The physical plan is that before adaptive execution, so it depends only on the query and the
    settings.
    """
    execution: Any = query._jdf.queryExecution()
    return Plans(
        optimized=str(execution.optimizedPlan().toString()).rstrip(),
        physical=str(execution.executedPlan().toString()).rstrip(),
    )


def normalized(plan: str) -> str:
    """The plan with its expression and plan ids numbered by first appearance."""
    seen: dict[str, int] = {}

    def renumber(match: re.Match[str]) -> str:
        return f"#{seen.setdefault(match.group(), len(seen))}"

    return _IDS.sub(renumber, plan)


def readable(plan: str) -> str:
    """The plan without ids, which a reader rarely needs."""
    return _IDS.sub("", plan)


def changed(off: Plans, on: Plans) -> bool:
    """Whether the plans differ by more than their ids."""
    return normalized(off.optimized) != normalized(on.optimized) or normalized(
        off.physical
    ) != normalized(on.physical)


def marked(off: str, on: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """The lines of both plans without ids, each with whether the other plan lacks it."""
    left, right = readable(off).splitlines(), readable(on).splitlines()
    # A line that only moves up or down the tree changes its indentation: not a difference.
    bare = [[line.lstrip(" :+-*") for line in lines] for lines in (left, right)]
    here, there = set(range(len(left))), set(range(len(right)))
    for block in difflib.SequenceMatcher(
        a=bare[0], b=bare[1], autojunk=False
    ).get_matching_blocks():
        here -= set(range(block.a, block.a + block.size))
        there -= set(range(block.b, block.b + block.size))
    return (
        [(line, i in here) for i, line in enumerate(left)],
        [(line, i in there) for i, line in enumerate(right)],
    )
