# SPDX-License-Identifier: Apache-2.0
"""The leaves of filters: the values of a file, or of a column of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional

from sparksieve._bulkfilter.node import BulkFilterNode, set_field
from sparksieve._bulkfilter.words import (
    DROP,
    EXCLUDE,
    INCLUDE,
    KEEP,
    known_nulls,
    known_operation,
    refuse_misspelt,
)
from sparksieve._functions import in_file, in_table, key_column, option_text
from sparksieve._key_text import key_text
from sparksieve.errors import BulkFilterError

if TYPE_CHECKING:
    from pyspark.sql import Column

    from sparksieve._functions import Key, Option

LEAF_POINTS = 0.1


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
        set_field(self, "operation", operation)
        set_field(self, "nulls", known_nulls(self.nulls, operation))
        try:
            options = {key: option_text(value) for key, value in self.options.items()}
        except TypeError as wrong:
            raise BulkFilterError(str(wrong)) from None
        set_field(self, "options", options)
        text = key_text(self.key)
        set_field(self, "key", key_column(self.key) if text is None else text)
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
