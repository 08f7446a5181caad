# SPDX-License-Identifier: Apache-2.0
"""Filters combined by AND and OR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from sparksieve._bulkfilter.node import BulkFilterNode, set_field
from sparksieve._bulkfilter.words import AND, OR, known_operator
from sparksieve.errors import BulkFilterError

if TYPE_CHECKING:
    from pyspark.sql import Column

OR_FACTOR = 10


@dataclass(frozen=True, repr=False)
class BulkFilter(BulkFilterNode):
    """Filters combined by one operator.

    A filter with one instance is equivalent to that instance. A filter without instances is an
    error, because readers would disagree about its result.

    Args:
        operator: "AND" or "OR".
        instances: leaves or nested filters, at least one.

    Raises:
        BulkFilterError: the operator is unknown, or there are no instances.
    """

    operator: str
    instances: Sequence[BulkFilterNode]

    def __post_init__(self) -> None:
        set_field(self, "operator", known_operator(self.operator))
        set_field(self, "instances", tuple(self.instances))
        if not self.instances:
            raise BulkFilterError("instances must not be empty: a filter of nothing has no meaning")

    @staticmethod
    def from_json(text: str) -> BulkFilter:
        """Reads a filter from JSON; a single leaf becomes a filter with one instance.

        Raises:
            BulkFilterError: `text` is not a valid filter; the message names the place and what is
                allowed there.
        """
        from sparksieve._bulkfilter.json_form import read

        found = read(text)
        return found if isinstance(found, BulkFilter) else BulkFilter(AND, [found])

    @property
    def points(self) -> float:
        """The product of the instances' points for AND, ten times their sum for OR."""
        costs = [instance.points for instance in self.instances]
        # Not sum(): since Python 3.12 it rounds differently from adding one by one, as Scala does.
        if self.operator == AND:
            return reduce(lambda a, b: a * b, costs, 1.0)
        return reduce(lambda a, b: a + b, costs, 0.0) * OR_FACTOR

    def sorted(self) -> BulkFilter:
        """This filter with the instances of every level sorted by points, cheapest first.

        The sort is stable.
        """
        below = [i.sorted() if isinstance(i, BulkFilter) else i for i in self.instances]
        return BulkFilter(self.operator, sorted(below, key=lambda i: i.points))

    def to_column(self) -> Column:
        """The predicate over `in_file` and `in_table`, as written; Sieve chooses the order."""
        columns = [instance.to_column() for instance in self.instances]
        return _balanced(columns, _both if self.operator == AND else _either)

    def __invert__(self) -> BulkFilter:
        """Keeps exactly the rows that this filter drops: AND becomes OR of negated instances."""
        return BulkFilter(OR if self.operator == AND else AND, [~i for i in self.instances])

    def __str__(self) -> str:
        """For example `((A and B) and C) or D`."""
        return f" {self.operator.lower()} ".join(
            f"({i})" if isinstance(i, BulkFilter) and len(i.instances) > 1 else str(i)
            for i in self.instances
        )

    __repr__ = __str__


def _both(left: Column, right: Column) -> Column:
    return left & right


def _either(left: Column, right: Column) -> Column:
    return left | right


def _balanced(parts: list[Column], join: Callable[[Column, Column], Column]) -> Column:
    """Builds a tree of logarithmic depth, because Spark walks expressions recursively."""
    if len(parts) == 1:
        return parts[0]
    half = (len(parts) + 1) // 2
    return join(_balanced(parts[:half], join), _balanced(parts[half:], join))
