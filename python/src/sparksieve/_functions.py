# SPDX-License-Identifier: Apache-2.0
"""Sieve's SQL functions as functions over Columns, for classic PySpark and Spark Connect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from pyspark.sql import Column

    Key = Union[str, Column, Sequence[Union[str, Column]]]
    Option = Union[str, bool, int]


def in_file(key: Key, path: str, **options: Option) -> Column:
    """Tests whether the key of a row is among the values of a file, as SQL's `in_file` does.

    The file is read once, into an exact set. Any number of these predicates, combined with `&`, `|`
    and `~`, are evaluated in one filter. The result for a NULL key is NULL, also under `~`, so a
    filter drops the row. NULLs in the file are ignored.

    Args:
        key: a Column, or the SQL text of an expression, in the simplest case the name of a column;
            a sequence of these for a key of several columns.
        path: the file, or a folder of files.
        options: `format` (not needed if the path's extension shows it), `column` (the column of the
            file; not needed if it has only one), `invalid` ("fail" or "skip": how to treat a value
            that does not fit the key's type). All others are options of Spark's reader, such as
            `header`.

    Returns:
        a boolean Column. Its analysis raises Spark's `AnalysisException` if the session has no
        Sieve, if the file is missing, unreadable or of another type, or if the name of an option
        is nearly that of another one.
    """
    return _membership("in_file", key, path, options)


def in_table(key: Key, column: str, **options: Option) -> Column:
    """Tests whether the key of a row is among the values of a table's column, as SQL's `in_table`.

    Args:
        key: as for `in_file`.
        column: the full name of the column, `catalog.database.table.column`; the catalog and the
            database may be omitted if they are the session's current ones.
        options: as for `in_file`.

    Returns:
        a boolean Column, as for `in_file`.
    """
    return _membership("in_table", key, column, options)


def option_text(value: Option) -> str:
    """Converts an option's value to the text that Spark's readers accept.

    Raises:
        TypeError: the value is not a string, a boolean or a whole number.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int)):
        return str(value)
    raise TypeError(f"an option is a string, a boolean or a whole number, not {value!r}")


def key_column(key: Key) -> Column:
    """The Column of a key."""
    from pyspark.sql import functions as fn

    if isinstance(key, str):
        return fn.expr(key)
    if isinstance(key, (list, tuple)):
        return fn.struct(*(key_column(part) for part in key))
    column: Column = key  # type: ignore[assignment]
    return column


def _membership(function: str, key: Key, source: str, options: Mapping[str, Option]) -> Column:
    from pyspark.sql import functions as fn

    arguments = [key_column(key), fn.lit(source)]
    if options:
        pairs = [
            fn.lit(text)
            for name, value in sorted(options.items())
            for text in (name, option_text(value))
        ]
        arguments.append(fn.create_map(*pairs))
    return fn.call_function(function, *arguments)
