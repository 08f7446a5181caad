# SPDX-License-Identifier: Apache-2.0
"""Prepares and caches the demo's tables: flights as CSV and Parquet, employees, logs, cars."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from sparksieve.demo import cars, joined, logs
from sparksieve.demo.case import (
    CAR_FILTERS,
    CARS,
    DEPARTMENT,
    EMPLOYEE,
    FLIGHTS,
    FLIGHTS_CSV,
    SERVER_LOG,
    Tables,
)
from sparksieve.demo.errors import DemoError, FlightsError
from sparksieve.demo.flights import flights_csv
from sparksieve.demo.folders import complete
from sparksieve.demo.generated import UNKNOWN, generated_text
from sparksieve.demo.options import Options
from sparksieve.demo.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LAYOUT = 4
"""Part of the names of the cached folders: increase it when their contents change."""

STEPS = 6
"""The number of steps that :func:`prepare` reports."""

TEXTS = ("carrier", "tailnum", "origin", "dest")


def prepare(spark: SparkSession, options: Options, progress: Progress) -> Tables:
    """Creates the views of the tables for ``options``, and writes the tables at the first call.

    :raises DemoError: the cache cannot be written, or ``--data flights`` is set and the flights
        cannot be had.
    """
    progress.begin("data: fetching")
    try:
        options.cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DemoError(
            f"cannot make the cache folder {options.cache} ({error.strerror}); "
            "give another with --cache"
        ) from None
    source, text = "generated", None
    if options.data != "generated":
        try:
            text = repeated(spark, flights_csv(options.cache), options.scale)
            source = "flights"
        except FlightsError as error:
            if options.data == "flights":
                raise
            progress.say(f"{error}\nUsing generated data instead.")
    if text is None:
        name = f"generated-{options.rows}-seed{options.seed}"
        text = generated_text(spark, options.rows, options.seed)
    else:
        name = f"flights-x{options.scale}"
    progress.step()
    folder = options.cache / f"{name}-v{LAYOUT}"
    if not folder.exists():
        _write(text, folder, options.rows, progress)
    else:
        progress.skip(STEPS - 1)
    return _views(spark, source, folder)


def repeated(spark: SparkSession, file: Path, times: int) -> DataFrame:
    """The flights as text, repeated ``times`` times, each copy a year later than the last."""
    once = spark.read.option("header", "true").csv(_uri(file))

    def later(years: int) -> DataFrame:
        columns = {
            "year": f"CAST(CAST(year AS INT) + {years} AS STRING)",
            "time_hour": f"concat(CAST(left(time_hour, 4) AS INT) + {years}, "
            "substring(time_hour, 5))",
        }
        return once.selectExpr(
            *(f"{columns[c]} AS {c}" if c in columns else c for c in once.columns)
        )

    return reduce(lambda a, b: a.unionAll(b), (later(years) for years in range(times)))


def typed(text: DataFrame) -> DataFrame:
    """Gives the text columns their types: strings, integers, one timestamp; NULL if unknown."""

    def column(name: str) -> str:
        known = f"nullif({name}, '{UNKNOWN}')"
        kind = "TIMESTAMP" if name == "time_hour" else "INT"
        return f"{known if name in TEXTS else f'CAST({known} AS {kind})'} AS {name}"

    return text.selectExpr(*(column(name) for name in text.columns))


def _write(text: DataFrame, folder: Path, rows: int, progress: Progress) -> None:
    """Writes all tables to ``folder``."""
    with complete(folder) as part:
        progress.begin("data: writing CSV")
        text.write.option("header", "true").csv(_uri(part / "csv"))
        progress.step()
        progress.begin("data: writing Parquet")
        typed(text).write.parquet(_uri(part / "parquet"))
        progress.step()
        progress.begin("data: writing employees")
        spark = text.sparkSession
        employees = rows * joined.EMPLOYEES_A_FLIGHT
        joined.employees(spark, employees).write.parquet(_uri(part / EMPLOYEE))
        joined.departments(spark, employees).write.parquet(_uri(part / DEPARTMENT))
        progress.step()
        progress.begin("data: writing server logs")
        log = logs.server_log(spark, rows * logs.LINES_A_FLIGHT)
        log.write.parquet(_uri(part / SERVER_LOG))
        progress.step()
        progress.begin("data: writing cars")
        all_cars = rows * cars.CARS_A_FLIGHT
        cars.cars(spark, all_cars).write.parquet(_uri(part / CARS))
        for name, values in cars.filters(spark, all_cars).items():
            values.write.parquet(_uri(part / CAR_FILTERS / f"{name}.parquet"))
        progress.step()


def _views(spark: SparkSession, source: str, folder: Path) -> Tables:
    csv, parquet = _uri(folder / "csv"), _uri(folder / "parquet")
    spark.read.option("header", "true").csv(csv).createOrReplaceTempView(FLIGHTS_CSV)
    spark.read.parquet(parquet).createOrReplaceTempView(FLIGHTS)
    for name in (EMPLOYEE, DEPARTMENT, SERVER_LOG, CARS):
        spark.read.parquet(_uri(folder / name)).createOrReplaceTempView(name)
    values = []
    for name in cars.FILTERS:
        file = spark.read.parquet(_uri(folder / CAR_FILTERS / f"{name}.parquet"))
        file.createOrReplaceTempView(f"car_filter_{name.lower()}")
        values.append(file.count())
    return Tables(
        source=source,
        csv=csv,
        parquet=parquet,
        rows=spark.table(FLIGHTS).count(),
        csv_bytes=_size(folder / "csv", "csv"),
        parquet_bytes=_size(folder / "parquet", "parquet"),
        employees=spark.table(EMPLOYEE).count(),
        employee_bytes=_size(folder / EMPLOYEE, "parquet"),
        lines=spark.table(SERVER_LOG).count(),
        log_bytes=_size(folder / SERVER_LOG, "parquet"),
        cars=spark.table(CARS).count(),
        car_bytes=_size(folder / CARS, "parquet"),
        values=max(values),
        filters=_uri(folder / CAR_FILTERS),
        folder=str(folder.absolute()),
    )


def _uri(path: Path) -> str:
    # With the scheme, so that it is not resolved in a cluster's default file system.
    return path.absolute().as_uri()


def _size(folder: Path, ending: str) -> int:
    return sum(file.stat().st_size for file in folder.glob(f"*.{ending}"))
