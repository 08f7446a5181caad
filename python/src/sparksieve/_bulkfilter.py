# SPDX-License-Identifier: Apache-2.0
"""Nested include and exclude filters over files of values: the objects of Sieve's `bulkfilter`.

They combine `in_file` and `in_table` by AND and OR; Spark does all the evaluation. Points, order
and texts equal those of the Scala classes with the same names, which `tests/golden/bulkfilter`
checks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Optional

from sparksieve._bulkfilter_words import (
    AND,
    DROP,
    EXCLUDE,
    INCLUDE,
    KEEP,
    OR,
    known_nulls,
    known_operation,
    known_operator,
    refuse_misspelt,
)
from sparksieve._functions import in_file, in_table, key_column, option_text
from sparksieve._key_text import key_text
from sparksieve._session import not_active
from sparksieve.errors import BulkFilterError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from sparksieve._functions import Key, Option

LEAF_POINTS = 0.1
OR_FACTOR = 10


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
        from sparksieve._bulkfilter_json import write

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


@dataclass(frozen=True, eq=False, repr=False)
class ProjectionBulkFilter(BulkFilterNode):
    """A leaf: keeps or drops rows whose key is in a file or in a column of a table.

    Two leaves are equal if the SQL texts of their keys and all other fields are equal.

    Args:
        key: the key of a row, as for `in_file`.
        file_location: the path of the file; for a table, `catalog.database.table.column`.
        operation: "Include" keeps the rows whose key is present, "Exclude" the others.
        options: as for `in_file`.
        nulls: "keep" or "drop" rows whose key is NULL. No file contains NULL, so by default
            Include drops these rows and Exclude keeps them, as an anti-join does. Exclude with
            "drop" is NOT IN.
        is_table: whether `file_location` names a table's column.
        name: the name of the leaf in its text.

    Raises:
        BulkFilterError: the operation, the treatment of NULLs or the type of an option is unknown,
            or a text is empty.
    """

    key: Key
    file_location: str
    operation: str
    options: Mapping[str, Option] = field(default_factory=dict)
    nulls: str = ""
    is_table: bool = False
    name: Optional[str] = None

    def __post_init__(self) -> None:
        operation = known_operation(self.operation)
        _set(self, "operation", operation)
        _set(self, "nulls", known_nulls(self.nulls, operation))
        try:
            options = {key: option_text(value) for key, value in self.options.items()}
        except TypeError as wrong:
            raise BulkFilterError(str(wrong)) from None
        _set(self, "options", options)
        text = key_text(self.key)
        _set(self, "key", key_column(self.key) if text is None else text)
        if text is not None and not text.strip():
            raise BulkFilterError("key must not be empty")
        if not self.file_location.strip():
            raise BulkFilterError(f"{'table' if self.is_table else 'file'} must not be empty")
        if self.name is not None and not self.name.strip():
            raise BulkFilterError("name must not be empty")

    @property
    def points(self) -> float:
        """0.1 for every leaf."""
        return LEAF_POINTS

    @property
    def key_text(self) -> str | None:
        """The key's SQL text; `None` for a Column whose SQL text is not known."""
        return self.key if isinstance(self.key, str) else None

    @property
    def _excludes(self) -> bool:
        return self.operation == EXCLUDE

    @property
    def _keeps_nulls(self) -> bool:
        return self.nulls == KEEP

    def to_column(self) -> Column:
        """The predicate, over `in_file` or `in_table`."""
        from pyspark.sql import functions as fn

        function = in_table if self.is_table else in_file
        found = function(self.key, self.file_location, **self.options)
        # Membership of a NULL key is NULL, so coalesce decides whether such rows are kept.
        if self._excludes:
            return ~fn.coalesce(found, fn.lit(False)) if self._keeps_nulls else ~found
        return fn.coalesce(found, fn.lit(True)) if self._keeps_nulls else found

    def __invert__(self) -> ProjectionBulkFilter:
        """Keeps exactly the rows that this filter drops, including rows with NULL keys."""
        return replace(
            self,
            operation=INCLUDE if self._excludes else EXCLUDE,
            nulls=DROP if self._keeps_nulls else KEEP,
        )

    def named(self, name: str) -> ProjectionBulkFilter:
        """A copy of this leaf with a name."""
        return replace(self, name=name)

    def _identity(self) -> tuple[Any, ...]:
        key = self.key_text or repr(self.key)
        options = tuple(sorted(self.options.items()))
        return (
            key,
            self.file_location,
            self.operation,
            options,
            self.nulls,
            self.is_table,
            self.name,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProjectionBulkFilter):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __str__(self) -> str:
        """The name if it has one, or `color in colors.parquet`."""
        if self.name is not None:
            text = f"not {self.name}" if self._excludes else self.name
        else:
            key = self.key_text or repr(self.key)
            short = self.file_location
            if not self.is_table:
                short = short.rstrip("/").rpartition("/")[2]
            text = f"{key} {'not in' if self._excludes else 'in'} {short}"
        if self.nulls == known_nulls("", self.operation):
            return text
        return f"{text} (nulls {'kept' if self._keeps_nulls else 'dropped'})"

    __repr__ = __str__


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
        _set(self, "operator", known_operator(self.operator))
        _set(self, "instances", tuple(self.instances))
        if not self.instances:
            raise BulkFilterError("instances must not be empty: a filter of nothing has no meaning")

    @staticmethod
    def from_json(text: str) -> BulkFilter:
        """Reads a filter from JSON; a single leaf becomes a filter with one instance.

        Raises:
            BulkFilterError: `text` is not a valid filter; the message names the place and what is
                allowed there.
        """
        from sparksieve._bulkfilter_json import read

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


def Include(  # noqa: N802
    key: Key,
    path: str | None = None,
    *,
    table: str | None = None,
    nulls: str = DROP,
    name: str | None = None,
    **options: Option,
) -> ProjectionBulkFilter:
    """A leaf that keeps the rows whose key is in a file, or in a column of a table.

    Args:
        key: as for `in_file`.
        path: the file; or
        table: the column of a table, `catalog.database.table.column`.
        nulls: "drop" or "keep" rows whose key is NULL.
        name: the name of the leaf in its text.
        options: as for `in_file`.

    Raises:
        BulkFilterError: neither path nor table is given, or both; `nulls` is unknown; or the name
            of an option is nearly that of another one.
    """
    return _leaf(INCLUDE, key, path, table, nulls, name, options)


def Exclude(  # noqa: N802
    key: Key,
    path: str | None = None,
    *,
    table: str | None = None,
    nulls: str = KEEP,
    name: str | None = None,
    **options: Option,
) -> ProjectionBulkFilter:
    """A leaf that keeps the rows whose key is not in a file, or in a column of a table.

    Args:
        key: as for `in_file`.
        path: the file; or
        table: the column of a table, `catalog.database.table.column`.
        nulls: "keep" or "drop" rows whose key is NULL. "keep" is an anti-join, "drop" is NOT IN.
        name: the name of the leaf in its text.
        options: as for `in_file`.

    Raises:
        BulkFilterError: neither path nor table is given, or both; `nulls` is unknown; or the name
            of an option is nearly that of another one.
    """
    return _leaf(EXCLUDE, key, path, table, nulls, name, options)


def _leaf(
    operation: str,
    key: Key,
    path: str | None,
    table: str | None,
    nulls: str,
    name: str | None,
    options: Mapping[str, Option],
) -> ProjectionBulkFilter:
    refuse_misspelt(options)
    if (path is None) == (table is None):
        raise BulkFilterError("give either a path or table=, not both")
    location = path if path is not None else table
    assert location is not None  # noqa: S101
    return ProjectionBulkFilter(key, location, operation, options, nulls, path is None, name)


def _chain(operator: str, left: BulkFilterNode, right: BulkFilterNode) -> BulkFilter:
    if not isinstance(right, BulkFilterNode):
        return NotImplemented
    if isinstance(left, BulkFilter) and left.operator == operator:
        return BulkFilter(operator, [*left.instances, right])
    return BulkFilter(operator, [left, right])


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


def _set(frozen: object, name: str, value: object) -> None:
    object.__setattr__(frozen, name, value)
