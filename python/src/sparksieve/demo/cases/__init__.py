"""Finds the cases: every module in this folder that has ``CASES`` is a room."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import pkgutil
from collections.abc import Iterable

from sparksieve.demo.case import Case

Rooms = dict[str, list[Case]]


def discover() -> Rooms:
    """The cases by room (the module's name), rooms in alphabetical order.

    :raises ValueError: a module without a list ``CASES``, or a name that is used twice.
    """
    rooms: Rooms = {}
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
        rooms[module.name] = cases
    return rooms


def select(rooms: Rooms, wanted: Iterable[str]) -> Rooms:
    """The cases that ``wanted`` names: rooms, case names, or patterns such as ``except*``.

    :raises ValueError: a name that fits nothing; the message lists what is allowed.
    """
    names = [case.name for cases in rooms.values() for case in cases]
    chosen: set[str] = set()
    for want in wanted:
        found = [c.name for c in rooms[want]] if want in rooms else fnmatch.filter(names, want)
        if not found:
            near = difflib.get_close_matches(want, [*names, *rooms], n=1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            raise ValueError(
                f"no case '{want}'{hint}; allowed are the rooms {', '.join(rooms)}, a pattern "
                f"such as 'except*', and the cases {', '.join(names)}"
            )
        chosen.update(found)
    picked = {room: [c for c in cases if c.name in chosen] for room, cases in rooms.items()}
    return {room: cases for room, cases in picked.items() if cases}
