"""The functions of Sieve as functions over Columns, for classic PySpark and Spark Connect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from pyspark.sql import Column

    Key = Union[str, Column, Sequence[Union[str, Column]]]
    Option = Union[str, bool, int]


def in_file(key: Key, path: str, **options: Option) -> Column:
    """Whether the key of a row is among the values of a file, as SQL's `in_file`.

    The file is read once, exactly; any number of such predicates combine with `&`, `|` and `~` in
    one filter. A key that is NULL is neither in the file nor not in it: the answer is NULL, with
    `~` too, and a filter drops the row. NULLs in the file are passed over.

    Args:
        key: a Column, or the SQL text of an expression, of which a column's name is the simplest;
            several of them for a key of several columns.
        path: the file, or a folder of files.
        options: `format` (unless the path's ending tells), `column` (which column of the file,
            unless it has one), `invalid` ("fail" or "skip": a value that does not fit the key's
            type); all others are Spark's reader's, such as `header`.

    Returns:
        a boolean Column; analysing it raises Spark's `AnalysisException` where the session has no
        Sieve, or the file is missing, unreadable or of another type.
    """
    return _membership("in_file", key, path, options)


def in_table(key: Key, column: str, **options: Option) -> Column:
    """Whether the key of a row is among the values of a table's column, as SQL's `in_table`.

    Args:
        key: as for `in_file`.
        column: the column by its full name: `catalog.database.table.column`, or what of it is not
            the session's current one, with the table.
        options: as for `in_file`.

    Returns:
        a boolean Column, as of `in_file`.
    """
    return _membership("in_table", key, column, options)


def option_text(value: Option) -> str:
    """An option's value as Spark's readers take it.

    Raises:
        TypeError: the value is no string, boolean or whole number.
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
