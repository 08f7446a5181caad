# SPDX-License-Identifier: Apache-2.0
"""What leaves and trees of filters have in common.

They combine `in_file` and `in_table` by AND and OR; Spark does all the evaluation. Points, order
and texts equal those of the Scala classes with the same names, which `tests/golden/bulkfilter`
checks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sparksieve._bulkfilter.words import AND, OR
from sparksieve._session import not_active
from sparksieve.errors import BulkFilterError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from sparksieve._bulkfilter.tree import BulkFilter


class BulkFilterNode(ABC):
    """The common base of leaves and trees of filters."""

    @property
    @abstractmethod
    def points(self) -> float:
        """The estimated cost: 0.1 for a leaf, the product for AND, ten times the sum for OR."""

    @abstractmethod
    def to_column(self) -> Column:
        """The predicate over `in_file` and `in_table`, as written; Sieve chooses the order."""

    @abstractmethod
    def __invert__(self) -> BulkFilterNode:
        """Keeps exactly the rows that this filter drops, including rows with NULL keys."""

    def apply(self, df: DataFrame) -> DataFrame:
        """Keeps the rows of `df` that pass. The plan gets one Filter, so duplicates are kept.

        Raises:
            SieveNotActiveError: the session runs without Sieve (over Connect, Spark raises
                `AnalysisException` when the result is used).
        """
        from pyspark.errors import AnalysisException

        try:
            return df.where(self.to_column())
        except AnalysisException as unresolved:
            message = str(unresolved)
            if "UNRESOLVED_ROUTINE" in message and "`in_" in message:
                raise not_active(df.sparkSession) from None
            raise

    def to_json(self) -> str:
        """The filter as one line of JSON, which Scala can read too.

        Raises:
            BulkFilterError: a key is a Column whose SQL text is not known.
        """
        from sparksieve._bulkfilter.json_form import write

        return write(self)

    def __and__(self, other: BulkFilterNode) -> BulkFilter:
        """Keeps rows that pass both filters; a chain such as `a & b & c` makes one node."""
        return _chain(AND, self, other)

    def __or__(self, other: BulkFilterNode) -> BulkFilter:
        """Keeps rows that pass at least one filter; a chain such as `a | b | c` makes one node."""
        return _chain(OR, self, other)

    def __bool__(self) -> bool:
        """Always raises an error: `and`, `or` and `not` would silently ignore a filter."""
        raise BulkFilterError(
            "Combine filters with & (and), | (or) and ~ (not); Python's and, or, not don't work."
        )


def _chain(operator: str, left: BulkFilterNode, right: BulkFilterNode) -> BulkFilter:
    from sparksieve._bulkfilter.tree import BulkFilter

    if not isinstance(right, BulkFilterNode):
        return NotImplemented
    if isinstance(left, BulkFilter) and left.operator == operator:
        return BulkFilter(operator, [*left.instances, right])
    return BulkFilter(operator, [left, right])


def set_field(frozen: object, name: str, value: object) -> None:
    """Sets a field of a frozen data class, in its `__post_init__`."""
    object.__setattr__(frozen, name, value)
