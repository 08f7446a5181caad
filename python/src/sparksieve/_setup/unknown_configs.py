# SPDX-License-Identifier: Apache-2.0
"""Warnings about settings under `spark.sieve.` that are no configs: Spark accepts any name."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sparksieve._setup.configs import PREFIX, all_configs
from sparksieve.errors import UnknownConfigWarning

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def warn_of_unknown(keys: Iterable[str]) -> None:
    """Warns of each unknown config among `keys`, at the line that called the public function.

    It must be called by that function itself, for the warning to name the user's line.
    """
    known = {config.key for config in all_configs()}
    for key in sorted(set(keys)):
        if key.startswith(PREFIX) and key not in known:
            warnings.warn(
                f"There is no config {key}, so it has no effect. The nearest is {_nearest(key)}.",
                UnknownConfigWarning,
                stacklevel=3,
            )


def settings_of(spark: SparkSession) -> Iterable[str]:
    """The names of all settings of a session; empty on Spark 3.5, which does not list them."""
    settings: dict[str, str] = getattr(spark.conf, "getAll", {})
    return settings


def _nearest(key: str) -> str:
    lower = {config.key.lower(): config.key for config in all_configs()}
    return lower[difflib.get_close_matches(key.lower(), lower, n=1, cutoff=0)[0]]
