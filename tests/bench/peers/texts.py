# SPDX-License-Identifier: Apache-2.0
"""The texts of the queries: Spark's own, from its SQL test jar, in each engine's dialect."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

LIMIT = re.compile(r"\s+LIMIT\s+\d+\s*;?\s*$", re.IGNORECASE)
INTERVAL = re.compile(r"(INTERVAL)\s+(\d+)\s+(days?)\b", re.IGNORECASE)
# Names after an expression that DuckDB takes for words of its own.
ALIAS = re.compile(r"\)\s+(at|returns)(?=,)")
YEAR = re.compile(r"\byear\((\w+)\)", re.IGNORECASE)

# What is changed in Spark's texts, for the page.
DIALECTS = {
    "duckdb": (
        "names in backticks are put into double quotes, and so are the names `at` and `returns`, "
        "after an AS"
    ),
    "datafusion": (
        "names in backticks are put into double quotes, `INTERVAL 30 days` is written "
        "`INTERVAL '30 days'`, and `year(x)` is written `date_part('year', x)`"
    ),
}


def texts(jar: Path, suite: str) -> dict[str, str]:
    """The texts of a suite by name, `q1` first."""
    with zipfile.ZipFile(jar) as inside:
        found = {
            Path(name).stem: inside.read(name).decode().strip().rstrip(";")
            for name in inside.namelist()
            if re.fullmatch(rf"{suite}/q\d+[ab]?\.sql", name)
        }
    return {name: found[name] for name in sorted(found, key=order)}


def order(name: str) -> tuple[int, str]:
    """Sorts `q2` before `q10`."""
    digits = re.sub(r"\D", "", name)
    return int(digits), name


def chosen(found: dict[str, str], names: list[str]) -> dict[str, str]:
    """The texts with these names, or all if there are none."""
    unknown = [name for name in names if name not in found]
    if unknown:
        raise SystemExit(f"There is no query {', '.join(unknown)}. Queries: {', '.join(found)}.")
    return {name: sql for name, sql in found.items() if not names or name in names}


def unlimited(sql: str) -> str:
    """A text without its last LIMIT, which may choose freely among rows that tie."""
    return LIMIT.sub("", sql)


def dialect(sql: str, family: str) -> str:
    """A text as the engines of a family read it."""
    if family == "spark":
        return sql
    quoted = sql.replace("`", '"')
    if family == "duckdb":
        quoted = ALIAS.sub(r') AS "\1"', quoted)
    if family == "datafusion":
        quoted = INTERVAL.sub(r"\1 '\2 \3'", quoted)
        quoted = YEAR.sub(r"date_part('year', \1)", quoted)
    return quoted
