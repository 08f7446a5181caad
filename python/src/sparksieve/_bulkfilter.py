"""Nested include and exclude filters over files of values: the objects of Sieve's `bulkfilter`.

They say which `in_file` and `in_table` stand under which AND and OR; all that is done with these
happens in Spark. Points, order and texts are those of the Scala classes of the same names, which
`tests/golden/bulkfilter` proves.
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
    """What a leaf and a tree of filters have in common."""

    @property
    @abstractmethod
    def points(self) -> float:
        """What it costs: 0.1 for a leaf, the product below AND, ten times the sum below OR."""

    @abstractmethod
    def to_column(self) -> Column:
        """The predicate, over `in_file` and `in_table`, as written: execution has its own order."""

    @abstractmethod
    def __invert__(self) -> BulkFilterNode:
        """Keeps just the rows that this one drops, rows with NULL keys included."""

    def apply(self, df: DataFrame) -> DataFrame:
        """The rows of `df` that pass, by one filter: rows that occur twice pass twice.

        Raises:
            SieveNotActiveError: the session runs without Sieve (over Connect, Spark's
                `AnalysisException` says so when the result is used).
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
        """The filter as JSON, which Scala reads too; one line.

        Raises:
            BulkFilterError: a key is a Column whose SQL text is not known.
        """
        from sparksieve._bulkfilter_json import write

        return write(self)

    def __and__(self, other: BulkFilterNode) -> BulkFilter:
        """Both; chains such as `a & b & c` make one node."""
        return _chain(AND, self, other)

    def __or__(self, other: BulkFilterNode) -> BulkFilter:
        """One of them or both; chains such as `a | b | c` make one node."""
        return _chain(OR, self, other)

    def __bool__(self) -> bool:
        """Refused: `and`, `or` and `not` would lose a side in silence."""
        raise BulkFilterError("Filters are combined with & for and, | for or, ~ for not.")


@dataclass(frozen=True, eq=False, repr=False)
class ProjectionBulkFilter(BulkFilterNode):
    """A leaf: keeps rows by whether a file, or a column of a table, has their key.

    Two leaves are equal if their keys have the same SQL text and all else is equal.

    Args:
        key: of a row, as for `in_file`.
        file_location: the path of the file; of a table `catalog.database.table.column`.
        operation: "Include" keeps the rows whose key is there, "Exclude" the others.
        options: as for `in_file`.
        nulls: "keep" or "drop": what becomes of rows whose key is NULL. NULL is in no file, so that
            Include drops them and Exclude keeps them, as an anti-join does, unless told otherwise.
            Exclude with "drop" is NOT IN.
        is_table: whether `file_location` names a table's column.
        name: what the leaf is called in texts.

    Raises:
        BulkFilterError: a word is not known, or a text is empty.
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
        """0.1."""
        return LEAF_POINTS

    @property
    def key_text(self) -> str | None:
        """The key's SQL text; none for a Column that does not tell."""
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
        # NULL is what membership of a NULL key is, so that coalesce says what becomes of it.
        if self._excludes:
            return ~fn.coalesce(found, fn.lit(False)) if self._keeps_nulls else ~found
        return fn.coalesce(found, fn.lit(True)) if self._keeps_nulls else found

    def __invert__(self) -> ProjectionBulkFilter:
        """Keeps just the rows that this one drops, rows with NULL keys included."""
        return replace(
            self,
            operation=INCLUDE if self._excludes else EXCLUDE,
            nulls=DROP if self._keeps_nulls else KEEP,
        )

    def named(self, name: str) -> ProjectionBulkFilter:
        """The same with a name for texts."""
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
    """Filters under one operator.

    A filter of one instance is that instance; with none there is no answer that all readers would
    expect, so that is an error.

    Args:
        operator: "AND" or "OR".
        instances: leaves or filters again, at least one.

    Raises:
        BulkFilterError: the operator is not known, or there are no instances.
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
        """The filter that JSON says; a leaf alone becomes a filter of one.

        Raises:
            BulkFilterError: it says none; the message names the place and what is allowed there.
        """
        from sparksieve._bulkfilter_json import read

        found = read(text)
        return found if isinstance(found, BulkFilter) else BulkFilter(AND, [found])

    @property
    def points(self) -> float:
        """The product of the instances' below AND, ten times their sum below OR."""
        costs = [instance.points for instance in self.instances]
        # Not sum(), which since Python 3.12 rounds otherwise than adding one by one, as Scala does.
        if self.operator == AND:
            return reduce(lambda a, b: a * b, costs, 1.0)
        return reduce(lambda a, b: a + b, costs, 0.0) * OR_FACTOR

    def sorted(self) -> BulkFilter:
        """The same filter with the cheapest first at every level.

        Those that cost the same keep their order.
        """
        below = [i.sorted() if isinstance(i, BulkFilter) else i for i in self.instances]
        return BulkFilter(self.operator, sorted(below, key=lambda i: i.points))

    def to_column(self) -> Column:
        """The predicate, over `in_file` and `in_table`, as written: execution has its own order."""
        columns = [instance.to_column() for instance in self.instances]
        return _balanced(columns, _both if self.operator == AND else _either)

    def __invert__(self) -> BulkFilter:
        """Keeps just the rows that this one drops: AND becomes OR of what is dropped."""
        return BulkFilter(OR if self.operator == AND else AND, [~i for i in self.instances])

    def __str__(self) -> str:
        """As `((A and B) and C) or D`."""
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
        table: the column, `catalog.database.table.column`.
        nulls: "drop" or "keep": what becomes of rows whose key is NULL.
        name: what the leaf is called in texts.
        options: as for `in_file`.

    Raises:
        BulkFilterError: neither path nor table is given, or both; or a word is not known.
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
        table: the column, `catalog.database.table.column`.
        nulls: "keep" or "drop": what becomes of rows whose key is NULL. To keep them is the
            anti-join, to drop them NOT IN.
        name: what the leaf is called in texts.
        options: as for `in_file`.

    Raises:
        BulkFilterError: neither path nor table is given, or both; or a word is not known.
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
    if (path is None) == (table is None):
        raise BulkFilterError("either a path or table= is expected")
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
    """A tree as deep as the logarithm of its leaves: Spark walks expressions recursively."""
    if len(parts) == 1:
        return parts[0]
    half = (len(parts) + 1) // 2
    return join(_balanced(parts[:half], join), _balanced(parts[half:], join))


def _set(frozen: object, name: str, value: object) -> None:
    object.__setattr__(frozen, name, value)
