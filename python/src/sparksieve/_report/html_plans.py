# SPDX-License-Identifier: Apache-2.0
"""The difference between the plans of a query without and with Sieve, as HTML."""

from __future__ import annotations

import difflib
import re
from html import escape
from typing import TYPE_CHECKING

from sparksieve._numbers import counted
from sparksieve._report.plans import without_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sparksieve._report.report import PlanPair

# How deep an operator is, and in which stage of generated code.
_POSITION = re.compile(r"[\s:|+-]*(\*\(\d+\) )?")


def plan_html(pair: PlanPair) -> str:
    """One plan, folded: the lines of both plans, those marked that only one of them has."""
    if not pair.changed:
        lines = [("=", line) for line in pair.after.splitlines() if line.strip()]
        title = f"{pair.stage} plan (unchanged)"
        key = ""
    else:
        lines = list(difference(pair.before, pair.after))
        counts = [sum(mark == one for mark, _ in lines) for one in "+-"]
        title = f"{pair.stage} plan: {counted(counts[0], 'line')} added, {counts[1]:,} removed"
        key = (
            "<p><ins>+ only with Sieve</ins> &nbsp; <del>- only without Sieve</del> &nbsp; "
            '<span class="sieve-faint">other lines are in both plans</span></p>'
        )
    shown = "".join(_line(mark, line) for mark, line in lines)
    return (
        f"<details><summary>{escape(title[0].upper() + title[1:])}</summary>"
        f'<div class="sieve-plan">{key}</div>'
        f'<div class="sieve-plan sieve-scroll"><div>{shown}</div></div></details>'
    )


def difference(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The lines of both plans, each after its mark: "-" only before, "+" only after, "=" in both.

    A line that only moved, or has other numbers, is in both plans; it is shown as it is after.
    """
    old, new = ([line for line in plan.splitlines() if line.strip()] for plan in (before, after))
    old_keys, new_keys = ([_operator(line) for line in lines] for lines in (old, new))
    matcher = difflib.SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            yield from (("=", line) for line in new[b1:b2])
        else:
            yield from (("-", line) for line in old[a1:a2])
            yield from (("+", line) for line in new[b1:b2])


def _operator(line: str) -> str:
    return without_numbers(_POSITION.sub("", line, count=1))


def _line(mark: str, text: str) -> str:
    # A sign as well as a colour: not everyone sees the colours, and some notebooks drop them.
    if mark == "=":
        return f"<div>  {escape(text)}</div>"
    tag = "ins" if mark == "+" else "del"
    return f"<{tag}>{mark} {escape(text)}</{tag}>"
