# SPDX-License-Identifier: Apache-2.0
"""Tables of configs and Spark lines, from the JSON files that `./sbt configs` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "src" / "sparksieve"

CONFIG_CELL = re.compile(r"^\| `(spark\.sieve\.[^`]+)`", re.MULTILINE)


def configs_table(prefix: str) -> str:
    """The table of the configs with a prefix.

    :raises ValueError: there is none.
    """
    rows = [
        f"| `{c['key']}` | `{c['default']}` | {c['doc']} |"
        for c in json.loads((PACKAGE / "configs.json").read_text(encoding="utf-8"))
        if c["key"].startswith(prefix + ".")
    ]
    if not rows:
        raise ValueError(f"no config begins with {prefix}.")
    return "\n".join(["| config | default | what it does |", "|---|---|---|", *rows])


def breakable_configs(markdown: str) -> str:
    """Tables of configs, whose names may break at their dots."""

    def cell(found: re.Match[str]) -> str:
        return f"| <code>{found[1].replace('.', '.<wbr>')}</code>"

    return CONFIG_CELL.sub(cell, markdown)


def lines() -> list[dict[str, Any]]:
    """The Spark lines, oldest first."""
    path = ROOT / "docs" / "lines.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def coordinates() -> str:
    """The table of Maven coordinates."""
    text = (PACKAGE / "_version.py").read_text(encoding="utf-8")
    version = re.findall(r'__version__ = "([^"]+)"', text)[0]
    rows = [
        f"| {line['minor']} | {line['scala_binary']} | "
        f"`io.sparksieve:sparksieve-spark-{line['minor']}_{line['scala_binary']}:{version}` |"
        for line in lines()
    ]
    return "\n".join(["| Spark | Scala | coordinates |", "|---|---|---|", *rows])


def lines_table() -> str:
    """The table of Spark lines with what is tested on each."""
    head = [
        "| Spark | Scala | Java class library | table formats | suites |",
        "|---|---|---|---|---|",
    ]
    rows = [
        f"| {line['spark']} | {line['scala']} | {line['java']} | "
        f"{', '.join(line['lakes']) or '–'} | {suites(line)} |"
        for line in lines()
    ]
    return "\n".join(head + rows)


def suites(line: dict[str, Any]) -> str:
    """Which suites run on a line."""
    if line["default"]:
        return "all, at every change"
    if line["full"]:
        return "all: a third at each commit"
    return "the smoke suites of every feature, at every second commit"
