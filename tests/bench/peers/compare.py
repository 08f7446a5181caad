# SPDX-License-Identifier: Apache-2.0
"""Whether two results are the same rows, in any order."""

from __future__ import annotations

import math
from collections import defaultdict
from decimal import Decimal
from typing import Any

from .engines import Row

EQUAL, CLOSE, OTHER = "equal", "close", "other"

# Doubles that were summed in another order differ in their last bits.
LAST_BITS = 1e-9
# Engines give averages and quotients of decimals different types: Spark rounds them to six digits.
ROUNDED, ROUNDED_ABSOLUTE = 1e-6, 1e-4


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; doubles may differ in their last bits."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=LAST_BITS, abs_tol=1e-12)
    return a is b or (a is not None and b is not None and a == b)


def near(a: Any, b: Any) -> bool:
    """Whether two values are equal but for the rounding of decimals."""
    if not (numeric(a) and numeric(b)):
        return same(a, b)
    a, b = float(a), float(b)
    return same(a, b) or math.isclose(a, b, rel_tol=ROUNDED, abs_tol=ROUNDED_ABSOLUTE)


def numeric(value: Any) -> bool:
    """Whether a value is a number."""
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def approximate(rows: list[Row], width: int) -> set[int]:
    """The columns with numbers that are no integers."""
    return {
        column
        for column in range(width)
        if any(isinstance(row[column], (float, Decimal)) for row in rows)
    }


def sortable(value: Any) -> tuple[int, Any]:
    """A key by which values of one column can be sorted, NULLs first."""
    if value is None:
        return (0, 0)
    if numeric(value):
        number = float(value)
        return (1, number) if number == number else (2, 0)
    return (3, str(value))


def compare(expected: list[Row], found: list[Row]) -> tuple[str, str]:
    """EQUAL, CLOSE or OTHER, and for OTHER what differs."""
    if len(expected) != len(found):
        return OTHER, f"{len(found):,} rows instead of {len(expected):,}"
    if not expected:
        return EQUAL, ""
    if len(expected[0]) != len(found[0]):
        return OTHER, f"{len(found[0])} columns instead of {len(expected[0])}"
    inexact = approximate(expected, len(expected[0])) | approximate(found, len(expected[0]))
    groups: dict[Row, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((expected, found)):
        for row in rows:
            exact = tuple(value for c, value in enumerate(row) if c not in inexact)
            groups[exact][side].append(row)
    verdict = EQUAL
    for mine, theirs in groups.values():
        if len(mine) != len(theirs):
            return OTHER, f"for example {(mine or theirs)[0]}"
        for test, outcome in ((same, verdict), (near, CLOSE)):
            if matches(mine, theirs, test):
                verdict = outcome
                break
        else:
            return OTHER, f"for example {theirs[0]} instead of {mine[0]}"
    return verdict, ""


def matches(mine: list[Row], theirs: list[Row], test: Any) -> bool:
    """Whether rows can be paired so that `test` holds for the values of each pair."""
    mine, theirs = (
        sorted(rows, key=lambda row: [sortable(value) for value in row]) for rows in (mine, theirs)
    )
    if all(all(map(test, a, b)) for a, b in zip(mine, theirs, strict=True)):
        return True
    # Values that differ slightly may sort in another order.
    if len(mine) > 2000:
        return False
    left = list(theirs)
    for row in mine:
        pair = next((k for k, other in enumerate(left) if all(map(test, row, other))), None)
        if pair is None:
            return False
        del left[pair]
    return True
