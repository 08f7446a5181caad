"""Knobs set for a while: `with sparksieve.options(spark, setop=False): ...`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from sparksieve._conf import write
from sparksieve._knobs import Knob, KnobValue, knob_of_key, knob_of_keyword
from sparksieve._session import is_active, not_active

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def options(
    spark: SparkSession,
    keys: Mapping[str, KnobValue] | None = None,
    /,
    **knobs: KnobValue,
) -> AbstractContextManager[None]:
    """Sets knobs inside a `with` block and puts back what was set before, or nothing.

    A room's name stands for its switch (`setop=False`), `enabled=False` for the master switch,
    and deeper knobs join their parts with two underscores (`setop__counting__enabled=False`).
    Full keys go in a mapping: `options(spark, {"spark.sieve.setop.enabled": False})`.

    Spark plans a query when it runs, so collect or write inside the block.

    Raises:
        UnknownKnobError: no knob has the name (an `AttributeError`).
        KnobValueError: on entering, when a value is refused (a `ValueError`).
        SieveNotActiveError: the session runs without Sieve.
    """
    values: dict[Knob, KnobValue] = {}
    for key, value in (keys or {}).items():
        values[knob_of_key(key)] = value
    for keyword, value in knobs.items():
        values[knob_of_keyword(keyword)] = value
    if not is_active(spark):
        raise not_active(spark)
    return _set_for_a_while(spark, values)


@contextmanager
def _set_for_a_while(spark: SparkSession, values: Mapping[Knob, Any]) -> Iterator[None]:
    before = {knob: spark.conf.get(knob.key, None) for knob in values}
    try:
        for knob, value in values.items():
            write(spark, knob, value)
        yield
    finally:
        for knob, text in before.items():
            if text is None:
                spark.conf.unset(knob.key)
            else:
                spark.conf.set(knob.key, text)
