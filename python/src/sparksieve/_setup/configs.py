# SPDX-License-Identifier: Apache-2.0
"""The configs, as `configs.json` lists them (generated from the Scala side), and their values."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Union

from sparksieve.errors import ConfigValueError, UnknownConfigError

PREFIX = "spark.sieve."

#: A config's value in Python: sizes are `int` bytes, all others have their plain type.
ConfigValue = Union[bool, int, float, str]

_SIZE = re.compile(r"\s*(\d+)\s*([a-z]*)\s*$")
_UNITS = {"": 0, "b": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


@dataclass(frozen=True)
class Config:
    """One config.

    `type` is boolean, int, long, double, bytes or string; `default` is the default as Spark's text.
    """

    key: str
    type: str
    default: str
    allowed: str
    doc: str
    since: str

    @property
    def path(self) -> tuple[str, ...]:
        """The key's parts as Python names: spark.sieve.setop.enabled is ("setop", "enabled")."""
        return tuple(snake_case(part) for part in self.key[len(PREFIX) :].split("."))

    def to_spark(self, value: object) -> str:
        """Converts `value` to text for Spark. Raises `ConfigValueError` for a wrong type.

        Text of the right type is passed on unchanged. Spark checks limits when the value is set.
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

    def from_spark(self, text: str) -> ConfigValue:
        """Converts Spark's text to a Python value. Raises `ConfigValueError` for a wrong type."""
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

    def wrong(self, value: object, detail: str = "") -> ConfigValueError:
        """The error for a value that this config does not accept."""
        said = f" Spark says: {detail}" if detail else ""
        return ConfigValueError(
            f"{self.key} does not accept {value!r}: it accepts {self.allowed} "
            f"({self.type}, default {self.default}).{said}"
        )

    def static(self) -> ConfigValueError:
        """The error for setting or unsetting this config while the application runs."""
        return ConfigValueError(
            f"{self.key} is static: it must be set before the session starts, by "
            f'sparksieve.configure(builder).config("{self.key}", …) or in spark-defaults.conf'
        )

    def _readable(self, text: str) -> bool:
        try:
            self.from_spark(text)
        except ConfigValueError:
            return False
        return True


def parse_bytes(text: str) -> int:
    """Converts a size in Spark's notation to bytes: "64m", "64MB", "1048576".

    Raises `ValueError`.
    """
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
def all_configs() -> tuple[Config, ...]:
    """Every config of this version, in the order of configs.json."""
    text = (Path(__file__).parents[1] / "configs.json").read_text(encoding="utf-8")
    return tuple(Config(**entry) for entry in json.loads(text))


def find_config(path: tuple[str, ...]) -> Config | None:
    """The config at a path of Python names, `None` when there is none."""
    return next((config for config in all_configs() if config.path == path), None)


def configs_under(path: tuple[str, ...]) -> list[Config]:
    """The configs whose path starts with `path`."""
    return [config for config in all_configs() if config.path[: len(path)] == path]


def config_of_key(key: str) -> Config:
    """The config of a full key such as "spark.sieve.enabled". Raises `UnknownConfigError`."""
    for config in all_configs():
        if config.key == key:
            return config
    raise unknown(key, [config.key for config in all_configs()])


def config_of_keyword(keyword: str) -> Config:
    """The config of a keyword: "setop__counting__enabled", or "setop" for its switch.

    Raises `UnknownConfigError`.
    """
    path = tuple(keyword.split("__"))
    config = find_config(path) or find_config((*path, "enabled"))
    if config is None:
        names = {"__".join(config.path) for config in all_configs()}
        names |= {
            "__".join(config.path[:-1]) for config in all_configs() if config.path[-1] == "enabled"
        }
        raise unknown(keyword, sorted(names - {""}))
    return config


def unknown(name: str, known: list[str]) -> UnknownConfigError:
    """The error for an unknown config: it suggests the nearest name, or else lists all names."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known names: {', '.join(known)}."
    return UnknownConfigError(f"Sieve has no config {name}; {hint}")
