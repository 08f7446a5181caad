# SPDX-License-Identifier: Apache-2.0
"""Configs as attributes: `sparksieve.conf(spark).setop.counting.enabled = False`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sparksieve._session import is_active, not_active
from sparksieve._setup.configs import (
    Config,
    ConfigValue,
    all_configs,
    configs_under,
    find_config,
    unknown,
)
from sparksieve._setup.unknown_configs import settings_of, warn_of_unknown
from sparksieve._table import format_table
from sparksieve.errors import ConfigValueError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Setting(NamedTuple):
    """A config and its value in one session."""

    key: str
    value: ConfigValue
    config: Config

    @property
    def doc(self) -> str:
        """What the config does."""
        return self.config.doc


class Conf:
    """A group of configs of one session, read and set as attributes.

    Names are the keys' parts in snake_case: `spark.sieve.setop.counting.minScanBytes` is
    `conf(spark).setop.counting.min_scan_bytes`. Values are `bool`, `int`, `float` or `str`; sizes
    are read as `int` bytes and may be set as text such as "64m". `del` returns a config to its
    default. Iterating gives a `Setting` for each config; printing lists them with their docs.
    """

    __slots__ = ("_path", "_spark")

    def __init__(self, spark: SparkSession, path: tuple[str, ...] = ()) -> None:
        object.__setattr__(self, "_spark", spark)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        path = (*self._path, name)
        config = find_config(path)
        if config is not None:
            return read(self._spark, config)
        if configs_under(path):
            return Conf(self._spark, path)
        raise self._unknown(name)

    def __setattr__(self, name: str, value: ConfigValue) -> None:
        write(self._spark, self._config(name), value)

    def __delattr__(self, name: str) -> None:
        unset(self._spark, self._config(name))

    def __dir__(self) -> list[str]:
        depth = len(self._path)
        return sorted({config.path[depth] for config in configs_under(self._path)})

    def __iter__(self) -> Iterator[Setting]:
        for config in configs_under(self._path):
            yield Setting(config.key, read(self._spark, config), config)

    def __repr__(self) -> str:
        rows = [(one.key, _shown(one.value), one.doc) for one in self]
        return format_table(("config", "value", "meaning"), rows)

    def _config(self, name: str) -> Config:
        path = (*self._path, name)
        config = find_config(path)
        if config is not None:
            return config
        if find_config((*path, "enabled")):
            dotted = ".".join(path)
            raise ConfigValueError(
                f"{dotted} is a group of configs; switch it with {dotted}.enabled = True or False"
            )
        raise self._unknown(name)

    def _unknown(self, name: str) -> AttributeError:
        known = [".".join(config.path) for config in all_configs()]
        groups = {
            ".".join(config.path[:n])
            for config in all_configs()
            for n in range(1, len(config.path))
        }
        return unknown(".".join((*self._path, name)), [*known, *sorted(groups)])


def conf(spark: SparkSession) -> Conf:
    """The configs of a session. Raises `SieveNotActiveError` when it runs without Sieve.

    Warns of each setting of the session under `spark.sieve.` that is not a config, by
    `UnknownConfigWarning`.
    """
    if not is_active(spark):
        raise not_active(spark)
    warn_of_unknown(settings_of(spark))
    return Conf(spark)


def read(spark: SparkSession, config: Config) -> ConfigValue:
    """The value that is set for a config in a session, or else its default."""
    return config.from_spark(str(spark.conf.get(config.key)))


def write(spark: SparkSession, config: Config, value: object) -> None:
    """Sets a config.

    Raises `ConfigValueError` naming the config, the value and what is allowed; or that the config
    is static, so that it must be set before the session starts.
    """
    from pyspark.errors import AnalysisException, IllegalArgumentException

    text = config.to_spark(value)
    try:
        spark.conf.set(config.key, text)
    except IllegalArgumentException as refused:
        raise config.wrong(value, str(refused).splitlines()[0]) from None
    except AnalysisException:
        if spark.conf.isModifiable(config.key):
            raise
        raise config.static() from None


def unset(spark: SparkSession, config: Config) -> None:
    """Returns a config to its default. Raises `ConfigValueError` if it is static."""
    from pyspark.errors import AnalysisException

    try:
        spark.conf.unset(config.key)
    except AnalysisException:
        if spark.conf.isModifiable(config.key):
            raise
        raise config.static() from None


def _shown(value: ConfigValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
