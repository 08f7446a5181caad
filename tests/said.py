# SPDX-License-Identifier: Apache-2.0
"""What a program of the tests shows of a log and of an error."""

from __future__ import annotations

import re


def warning(log: str) -> str:
    """Sieve's first warning that it does less than it could in Spark's log, with its cause.

    The rows are right then, so nothing else would show it.
    """
    found = _WARNING.search(log)
    return brief(found.group()) if found else ""


_WARNING = re.compile(
    r"(Sieve could not|Sieve's rule|Failed to compile the predicates)[^\n]*(\n(?!\d\d:)[^\n]*)?"
)


def brief(error: str) -> str:
    """An error in one line, without its stack."""
    lines = [words for words in (" ".join(part.split()) for part in error.splitlines()) if words]
    kept = [part for part in lines if not part.startswith(("at ", "... "))]
    return " | ".join(kept)[:400]
