# SPDX-License-Identifier: Apache-2.0
"""Sets configs inside a block: `with sparksieve.options(spark, setop=False): ...`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from sparksieve._session import is_active, not_active
from sparksieve._setup.conf import write
from sparksieve._setup.configs import Config, ConfigValue, config_of_key, config_of_keyword

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def options(
    spark: SparkSession,
    keys: Mapping[str, ConfigValue] | None = None,
    /,
    **configs: ConfigValue,
) -> AbstractContextManager[None]:
    """Sets configs inside a `with` block, and afterwards restores or unsets each of them.

    A feature's name means its switch (`setop=False`), `enabled` the master switch. The parts of
    deeper keys are joined by two underscores (`setop__counting__enabled=False`). A mapping takes
    full keys: `options(spark, {"spark.sieve.setop.enabled": False})`.

    Spark plans a query when it runs, so collect or write inside the block.

    Raises:
        UnknownConfigError: no config has the name (an `AttributeError`).
        ConfigValueError: on entering, when a value is refused, or a config is static and cannot be
            set while the session runs (a `ValueError`).
        SieveNotActiveError: the session runs without Sieve.
    """
    values: dict[Config, ConfigValue] = {}
    for key, value in (keys or {}).items():
        values[config_of_key(key)] = value
    for keyword, value in configs.items():
        values[config_of_keyword(keyword)] = value
    if not is_active(spark):
        raise not_active(spark)
    return _set_for_a_while(spark, values)


@contextmanager
def _set_for_a_while(spark: SparkSession, values: Mapping[Config, Any]) -> Iterator[None]:
    before: dict[Config, str | None] = {}
    try:
        for config, value in values.items():
            text = spark.conf.get(config.key, None)
            write(spark, config, value)
            before[config] = text
        yield
    finally:
        for config, text in before.items():
            if text is None:
                spark.conf.unset(config.key)
            else:
                spark.conf.set(config.key, text)
