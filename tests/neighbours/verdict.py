# SPDX-License-Identifier: Apache-2.0
"""Judges what a step gave beside an extension, and says so in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Answer = Mapping[str, Any]


class Verdict(NamedTuple):
    """Whether a step is right, and why not, or what Sieve did."""

    ok: bool
    why: str


def judge(alone: Answer, found: Answer) -> Verdict:
    """The verdict on a step, from its answers without Sieve and with it."""
    if "error" in alone:
        both = "error" in found
        return Verdict(
            both, f"{'both fail' if both else 'fails only without Sieve'}: {alone['error']}"
        )
    if "error" in found:
        return Verdict(False, f"fails only with Sieve: {found['error']}")
    if found["rows"] != alone["rows"]:
        return Verdict(False, f"rows {found['rows']} instead of {alone['rows']}")
    if found["applied"]:
        return Verdict(True, ", ".join(found["applied"]))
    return Verdict(True, f"declined: {', '.join(found['declined'])}" if found["declined"] else "–")


def line(neighbour: str, variant: str, step: str, verdict: Verdict) -> str:
    """The line of a step."""
    return (
        f"{neighbour:<8} {variant:<12} {step:<17} {'ok' if verdict.ok else 'FAILED'}: {verdict.why}"
    )


def summary(verdicts: list[Verdict]) -> str:
    """The last line."""
    passed = sum(verdict.ok for verdict in verdicts)
    return f"{passed} passed, {len(verdicts) - passed} failed"
