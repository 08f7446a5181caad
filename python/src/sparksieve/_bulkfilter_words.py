"""The words of filters over files of values, in whatever case they are given."""

from __future__ import annotations

from sparksieve.errors import BulkFilterError

INCLUDE, EXCLUDE = "Include", "Exclude"
AND, OR = "AND", "OR"
KEEP, DROP = "keep", "drop"


def known_operation(given: str) -> str:
    """The operation that `given` is, in whatever case."""
    return _known("an operation", given, INCLUDE, EXCLUDE)


def known_operator(given: str) -> str:
    """The operator that `given` is, in whatever case."""
    return _known("an operator", given, AND, OR)


def known_nulls(given: str, operation: str) -> str:
    """The treatment of NULL keys that `given` is; empty: as the operation has it."""
    if not given:
        return DROP if operation == INCLUDE else KEEP
    return _known("a treatment of nulls", given, KEEP, DROP)


def _known(what: str, given: str, *allowed: str) -> str:
    for word in allowed:
        if str(given).lower() == word.lower():
            return word
    raise BulkFilterError(f"'{given}' is not {what}; allowed are {', '.join(allowed)}")
