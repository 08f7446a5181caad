# SPDX-License-Identifier: Apache-2.0
"""Rows of a result as a file, so that the results of two processes can be compared."""

from __future__ import annotations

import gzip
import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from .engines import Row


def encoded(value: Any) -> Any:
    """A value as JSON: strings and decimals are marked by their first letter."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Decimal):
        return f"d{value}"
    if isinstance(value, datetime):
        # A date plus an interval is a timestamp for some engines.
        whole = value.hour == value.minute == value.second == value.microsecond == 0
        return f"s{value.date() if whole else value}"
    if isinstance(value, (str, date)):
        return f"s{value}"
    raise TypeError(f"a value of the type {type(value).__name__}")


def decoded(value: Any) -> Any:
    """The value that [encoded] had."""
    if isinstance(value, str):
        return Decimal(value[1:]) if value[0] == "d" else value[1:]
    return value


def write(path: Path, rows: list[Row]) -> None:
    """Writes rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", compresslevel=1) as out:
        for row in rows:
            out.write(json.dumps([encoded(value) for value in row]) + "\n")


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    with gzip.open(path, "rt") as lines:
        return [tuple(decoded(value) for value in json.loads(line)) for line in lines]
