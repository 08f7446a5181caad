"""Knobs as attributes: `sparksieve.conf(spark).setop.counting.enabled = False`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sparksieve._knobs import (
    Knob,
    KnobValue,
    all_knobs,
    find_knob,
    knobs_under,
    unknown,
)
from sparksieve._session import is_active, not_active
from sparksieve._table import format_table
from sparksieve.errors import KnobValueError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Setting(NamedTuple):
    """A knob and its value in one session."""

    key: str
    value: KnobValue
    knob: Knob

    @property
    def doc(self) -> str:
        """What the knob does."""
        return self.knob.doc


class Conf:
    """A group of knobs of one session, read and set as attributes.

    Names are the keys' parts in snake_case: `spark.sieve.setop.counting.minScanBytes` is
    `conf(spark).setop.counting.min_scan_bytes`. Values are `bool`, `int`, `float` or `str`; sizes
    are read as `int` bytes and may be set as text such as "64m". `del` returns a knob to its
    default. Iterating gives a `Setting` for each knob; printing lists them with their docs.
    """

    __slots__ = ("_path", "_spark")

    def __init__(self, spark: SparkSession, path: tuple[str, ...] = ()) -> None:
        object.__setattr__(self, "_spark", spark)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        path = (*self._path, name)
        knob = find_knob(path)
        if knob is not None:
            return read(self._spark, knob)
        if knobs_under(path):
            return Conf(self._spark, path)
        raise self._unknown(name)

    def __setattr__(self, name: str, value: KnobValue) -> None:
        write(self._spark, self._knob(name), value)

    def __delattr__(self, name: str) -> None:
        self._spark.conf.unset(self._knob(name).key)

    def __dir__(self) -> list[str]:
        depth = len(self._path)
        return sorted({knob.path[depth] for knob in knobs_under(self._path)})

    def __iter__(self) -> Iterator[Setting]:
        for knob in knobs_under(self._path):
            yield Setting(knob.key, read(self._spark, knob), knob)

    def __repr__(self) -> str:
        rows = [(one.key, _shown(one.value), one.doc) for one in self]
        return format_table(("knob", "value", "meaning"), rows)

    def _knob(self, name: str) -> Knob:
        path = (*self._path, name)
        knob = find_knob(path)
        if knob is not None:
            return knob
        if find_knob((*path, "enabled")):
            dotted = ".".join(path)
            raise KnobValueError(
                f"{dotted} is a group of knobs; its switch is {dotted}.enabled = True or False"
            )
        raise self._unknown(name)

    def _unknown(self, name: str) -> AttributeError:
        known = [".".join(knob.path) for knob in all_knobs()]
        groups = {".".join(knob.path[:n]) for knob in all_knobs() for n in range(1, len(knob.path))}
        return unknown(".".join((*self._path, name)), [*known, *sorted(groups)])


def conf(spark: SparkSession) -> Conf:
    """The knobs of a session. Raises `SieveNotActiveError` when it runs without Sieve."""
    if not is_active(spark):
        raise not_active(spark)
    return Conf(spark)


def read(spark: SparkSession, knob: Knob) -> KnobValue:
    """The value of a knob in a session: what is set, else the default."""
    return knob.from_spark(str(spark.conf.get(knob.key)))


def write(spark: SparkSession, knob: Knob, value: object) -> None:
    """Sets a knob. Raises `KnobValueError` naming the knob, the value and what is allowed."""
    from pyspark.errors import IllegalArgumentException

    try:
        spark.conf.set(knob.key, knob.to_spark(value))
    except IllegalArgumentException as refused:
        raise knob.wrong(value, str(refused).splitlines()[0]) from None


def _shown(value: KnobValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
