# SPDX-License-Identifier: Apache-2.0
"""The page of reasons: the sentences of `reasons.json`, which `./sbt configs` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

HEADING = re.compile(r"^### ([a-z0-9-]+)$", re.MULTILINE)

Reasons = dict[str, dict[str, str]]
"""Reasons by code, each with `meaning` and, if the user can do something, `remedy`."""


def reasons() -> tuple[Reasons, Reasons]:
    """Why a predicate is left to Spark, and why a rule declined a place."""
    read = json.loads(Path(__file__).with_name("reasons.json").read_text(encoding="utf-8"))
    pushed, declined = (
        {reason["code"]: reason for reason in read[name]} for name in ("not_pushed", "declined")
    )
    return pushed, declined


def with_reasons(markdown: str) -> str:
    """The page of reasons with the sentence of each code below its heading.

    :raises ValueError: headings and codes do not fit together.
    """
    pushed, declined = reasons()
    headings = HEADING.findall(markdown)
    codes = {*pushed, *declined}
    for what, names in (
        ("no heading", codes - set(headings)),
        ("no such reason", set(headings) - codes),
        ("two headings", {name for name in headings if headings.count(name) > 1}),
    ):
        if names:
            raise ValueError(f"{what}: {', '.join(sorted(names))}")

    def below(found: re.Match[str]) -> str:
        code = found[1]
        text = [found[0]]
        if code in pushed and code in declined:
            text += [
                f"Of a predicate: {pushed[code]['meaning']}",
                f"Of a rule: {declined[code]['meaning']}",
            ]
        else:
            text.append((pushed.get(code) or declined[code])["meaning"])
        remedy = pushed.get(code, {}).get("remedy")
        if remedy:
            text.append(f"**What to do.** {remedy}")
        return "\n\n".join(text)

    return HEADING.sub(below, markdown)
