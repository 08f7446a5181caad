"""The keywords of filters over files of values, case-insensitive."""

from __future__ import annotations

from sparksieve.errors import BulkFilterError

INCLUDE, EXCLUDE = "Include", "Exclude"
AND, OR = "AND", "OR"
KEEP, DROP = "keep", "drop"


def known_operation(given: str) -> str:
    """The operation in its canonical case: "Include" or "Exclude"."""
    return _known("an operation", given, INCLUDE, EXCLUDE)


def known_operator(given: str) -> str:
    """The operator in its canonical case: "AND" or "OR"."""
    return _known("an operator", given, AND, OR)


def known_nulls(given: str, operation: str) -> str:
    """The treatment of NULL keys: "keep" or "drop"; if empty, the operation's default."""
    if not given:
        return DROP if operation == INCLUDE else KEEP
    return _known("a treatment of nulls", given, KEEP, DROP)


def _known(what: str, given: str, *allowed: str) -> str:
    for word in allowed:
        if str(given).lower() == word.lower():
            return word
    raise BulkFilterError(f"'{given}' is not {what}; allowed are {', '.join(allowed)}")
