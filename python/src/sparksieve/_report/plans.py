# SPDX-License-Identifier: Apache-2.0
"""Makes plans comparable as text: Spark assigns new numbers each time it plans a query."""

from __future__ import annotations

import re

# Columns are shown as name#12, 64-bit ones as name#12L; exchanges carry plan_id=34.
_NUMBER = re.compile(r"(#|plan_id=)(\d+)")


def renumbered(plan: str) -> str:
    """The plan with its numbers replaced by 1, 2, … in the order of their first appearance.

    Two plans of one query that differ only in their numbers give the same text.
    """
    seen: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        return f"{found.group(1)}{seen.setdefault(found.group(), len(seen) + 1)}"

    return _NUMBER.sub(number, plan)


def without_numbers(line: str) -> str:
    """A line of a plan without its numbers, to find the line in another plan."""
    return _NUMBER.sub(r"\1", line)
