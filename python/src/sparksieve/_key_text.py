# SPDX-License-Identifier: Apache-2.0
"""The SQL text of a row's key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sparksieve._functions import Key

_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


def key_text(key: Key) -> str | None:
    """The SQL text of a key that is a column's name or SQL text; otherwise `None`."""
    if isinstance(key, str):
        return key
    if isinstance(key, (list, tuple)):
        texts = [key_text(part) for part in key]
        return None if None in texts else f"struct({', '.join(map(str, texts))})"
    # Only names and SQL text are supported: Spark gives no valid SQL for other Columns.
    remote = type(key).__module__.startswith("pyspark.sql.connect")
    kind, text = _remote_text(key) if remote else _local_text(key)
    if kind in ("SQLExpression", "SqlExpression"):
        return text
    names = ("ColumnReference", "UnresolvedAttribute", "AttributeReference")
    plain = _PLAIN_NAME.fullmatch(text) and text.lower() not in ("true", "false", "null")
    return text if kind in names and plain else None


def _remote_text(column: Any) -> tuple[str, str]:
    """The kind and the text of a Spark Connect Column."""
    return type(column._expr).__name__, repr(column._expr)


def _local_text(column: Any) -> tuple[str, str]:
    """The kind and the text of a classic Column."""
    from py4j.protocol import Py4JError

    try:
        node = column._jc.node()
    except Py4JError:  # Spark 3.5
        node = column._jc.expr()
    if node.getClass().getSimpleName() == "ExpressionColumnNode":
        node = node.expression()
    return node.getClass().getSimpleName(), node.sql()
