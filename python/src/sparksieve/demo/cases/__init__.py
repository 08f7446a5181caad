# SPDX-License-Identifier: Apache-2.0
"""Finds the cases: every module in this folder is a feature and has a list ``CASES``."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import pkgutil
from collections.abc import Iterable

from sparksieve.demo.case import Case

Features = dict[str, list[Case]]


def discover() -> Features:
    """The cases by feature (the module's name), features in alphabetical order.

    :raises ValueError: a module without a list ``CASES``, or a name that is used twice.
    """
    features: Features = {}
    seen: dict[str, str] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        cases = getattr(importlib.import_module(f"{__name__}.{module.name}"), "CASES", None)
        if not isinstance(cases, list) or not all(isinstance(c, Case) for c in cases):
            raise ValueError(f"demo/cases/{module.name}.py needs CASES, a list of Case")
        for case in cases:
            if case.name in seen:
                raise ValueError(
                    f"demo case '{case.name}' is in {module.name} and in {seen[case.name]}"
                )
            seen[case.name] = module.name
        features[module.name] = cases
    return features


def short(features: Features) -> Features:
    """The few cases that show what each feature is for."""
    return _only(features, {c.name for cases in features.values() for c in cases if c.short})


def select(features: Features, wanted: Iterable[str]) -> Features:
    """The cases that ``wanted`` names: features, case names, or patterns such as ``except*``.

    :raises ValueError: a name that matches nothing; the message lists what is allowed.
    """
    names = [case.name for cases in features.values() for case in cases]
    chosen: set[str] = set()
    for want in wanted:
        found = (
            [c.name for c in features[want]] if want in features else fnmatch.filter(names, want)
        )
        if not found:
            near = difflib.get_close_matches(want, [*names, *features], n=1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            raise ValueError(
                f"no case '{want}'{hint}; allowed are the features {', '.join(features)}, a "
                f"pattern such as 'except*', and the cases {', '.join(names)}"
            )
        chosen.update(found)
    return _only(features, chosen)


def _only(features: Features, names: set[str]) -> Features:
    picked = {feature: [c for c in cases if c.name in names] for feature, cases in features.items()}
    return {feature: cases for feature, cases in picked.items() if cases}
