"""The knobs, as `knobs.json` lists them (generated from the Scala side), and their values."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Union

from sparksieve.errors import KnobValueError, UnknownKnobError

PREFIX = "spark.sieve."

#: What a knob's value is in Python: sizes are `int` bytes, everything else its plain type.
KnobValue = Union[bool, int, float, str]

_SIZE = re.compile(r"\s*(\d+)\s*([a-z]*)\s*$")
_UNITS = {"": 0, "b": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


@dataclass(frozen=True)
class Knob:
    """One knob.

    `type` is boolean, int, long, double, bytes or string; `default` is Spark's text for it.
    """

    key: str
    type: str
    default: str
    allowed: str
    doc: str
    since: str

    @property
    def path(self) -> tuple[str, ...]:
        """The Python names on the way to it: spark.sieve.setop.enabled is ("setop", "enabled")."""
        return tuple(snake_case(part) for part in self.key[len(PREFIX) :].split("."))

    def to_spark(self, value: object) -> str:
        """The text that Spark is given for `value`. Raises `KnobValueError` for a wrong type.

        Text is passed on as it is: Spark checks it when it is set. So are limits of numbers.
        """
        if isinstance(value, str) and (self.type == "string" or self._readable(value)):
            return value
        if isinstance(value, bool):
            if self.type == "boolean":
                return str(value).lower()
        elif isinstance(value, int):
            if self.type in ("int", "long", "double", "bytes"):
                return str(value)
        elif isinstance(value, float) and self.type == "double":
            return repr(value)
        raise self.wrong(value)

    def from_spark(self, text: str) -> KnobValue:
        """The Python value of Spark's text. Raises `KnobValueError` when it has another type."""
        try:
            if self.type == "boolean":
                return {"true": True, "false": False}[text.strip().lower()]
            if self.type in ("int", "long"):
                return int(text)
            if self.type == "double":
                return float(text)
            if self.type == "bytes":
                return parse_bytes(text)
        except (KeyError, ValueError):
            raise self.wrong(text) from None
        return text

    def wrong(self, value: object, detail: str = "") -> KnobValueError:
        """The error for a value that this knob does not take."""
        said = f" Spark says: {detail}" if detail else ""
        return KnobValueError(
            f"{self.key} does not take {value!r}: it takes {self.allowed} "
            f"({self.type}, default {self.default}).{said}"
        )

    def _readable(self, text: str) -> bool:
        try:
            self.from_spark(text)
        except KnobValueError:
            return False
        return True


def parse_bytes(text: str) -> int:
    """Bytes of a size in Spark's notation: "64m", "64MB", "1048576". Raises `ValueError`."""
    found = _SIZE.match(text.lower())
    if not found:
        raise ValueError(f"not a size: {text!r}")
    unit = found.group(2)
    if len(unit) == 2 and unit.endswith("b"):
        unit = unit[0]
    if unit not in _UNITS:
        raise ValueError(f"not a unit of size: {text!r}")
    scale: int = 1024 ** _UNITS[unit]
    return int(found.group(1)) * scale


def snake_case(name: str) -> str:
    """The Python name of a part of a key: "minScanBytes" becomes "min_scan_bytes"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@lru_cache(maxsize=1)
def all_knobs() -> tuple[Knob, ...]:
    """Every knob of this version, in the order of knobs.json."""
    text = (Path(__file__).parent / "knobs.json").read_text(encoding="utf-8")
    return tuple(Knob(**entry) for entry in json.loads(text))


def find_knob(path: tuple[str, ...]) -> Knob | None:
    """The knob at a path of Python names, `None` when there is none."""
    return next((knob for knob in all_knobs() if knob.path == path), None)


def knobs_under(path: tuple[str, ...]) -> list[Knob]:
    """The knobs whose path starts with `path`."""
    return [knob for knob in all_knobs() if knob.path[: len(path)] == path]


def knob_of_key(key: str) -> Knob:
    """The knob of a full key such as "spark.sieve.enabled". Raises `UnknownKnobError`."""
    for knob in all_knobs():
        if knob.key == key:
            return knob
    raise unknown(key, [knob.key for knob in all_knobs()])


def knob_of_keyword(keyword: str) -> Knob:
    """The knob of a keyword: "setop__counting__enabled", or "setop" for its switch.

    Raises `UnknownKnobError`.
    """
    path = tuple(keyword.split("__"))
    knob = find_knob(path) or find_knob((*path, "enabled"))
    if knob is None:
        names = {"__".join(knob.path) for knob in all_knobs()}
        names |= {"__".join(knob.path[:-1]) for knob in all_knobs() if knob.path[-1] == "enabled"}
        raise unknown(keyword, sorted(names - {""}))
    return knob


def unknown(name: str, known: list[str]) -> UnknownKnobError:
    """The error for a name that no knob has, with the nearest ones."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}."
    return UnknownKnobError(f"Sieve has no knob {name}; {hint}")
