# SPDX-License-Identifier: Apache-2.0
"""The keywords of filters over files of values, case-insensitive."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from sparksieve.errors import BulkFilterError

INCLUDE, EXCLUDE = "Include", "Exclude"
AND, OR = "AND", "OR"
KEEP, DROP = "keep", "drop"

_KEYWORDS = ("path", "table", "nulls", "name")
_OWN_OPTIONS = ("format", "column", "invalid")
# JSON and the Scala classes call the path so.
_OTHER_NAMES = {"file": "path"}


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


def refuse_misspelt(options: Iterable[str]) -> None:
    """Refuses an option whose name is nearly that of a keyword or of an option of Sieve.

    Spark's side refuses names that are nearly those of a reader's options, but it does not know the
    keywords of `Include` and `Exclude`.
    """
    for name in options:
        letters = name.lower()
        if letters in _OWN_OPTIONS:
            continue
        known = difflib.get_close_matches(letters, (*_KEYWORDS, *_OWN_OPTIONS), n=1, cutoff=0.8)
        nearest = _OTHER_NAMES.get(letters) or next(iter(known), None)
        if nearest is not None:
            raise BulkFilterError(f"there is no option '{name}'; the nearest is '{nearest}'")


def _known(what: str, given: str, *allowed: str) -> str:
    for word in allowed:
        if str(given).lower() == word.lower():
            return word
    raise BulkFilterError(f"'{given}' is not {what}; allowed are {', '.join(allowed)}")
