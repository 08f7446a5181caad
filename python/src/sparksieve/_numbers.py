# SPDX-License-Identifier: Apache-2.0
"""Numbers with their nouns, as texts for readers."""

from __future__ import annotations


def counted(n: int, noun: str) -> str:
    """For example "1 row" and "1,234 rows"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
