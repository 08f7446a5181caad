# SPDX-License-Identifier: Apache-2.0
"""Generated flights of the same shape as the real ones: columns, texts, unknown values.

Spark generates them from the row number and a seed with ``xxhash64`` alone, so the same seed gives
the same rows on every machine, Spark line and number of cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve.demo.flights import FLIGHT_ROWS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CARRIERS = "9E AA AS B6 DL EV F9 FL HA MQ OO UA US VX WN YV"
ORIGINS = "EWR JFK LGA"
DESTINATIONS = (
    "ATL ORD LAX BOS MCO CLT SFO FLL MIA DCA DTW DFW RDU TPA DEN IAH BNA PBI MSP STL MDW PHX IND "
    "CMH CLE LAS CVG BWI SEA JAX SJU BUF ROC SAN MSY RSW SLC SRQ SYR BTV PDX RIC AUS CHS SAV HOU"
)

UNKNOWN = "NA"


def generated_text(spark: SparkSession, rows: int, seed: int) -> DataFrame:
    """``rows`` flights as strings, :data:`UNKNOWN` where a value is not known.

    Each year has as many flights as the real year 2013, or all of them if there are fewer. Days
    run from January to December within each year, as in a log.
    """
    per_year = min(rows, FLIGHT_ROWS)
    day = f"id % {per_year} * 365 div {per_year}"

    def pick(name: str, of: int) -> str:
        return f"pmod(xxhash64(id, {seed}L, '{name}'), {of}L)"

    def choose(name: str, words: str) -> str:
        values = words.split()
        # The square of a uniform draw favours the first values: some carriers fly far more often.
        draw = f"{pick(name, 10_000)} * {pick(name, 10_000)} * {len(values)} div 100000000"
        texts = ", ".join(f"'{value}'" for value in values)
        return f"element_at(array({texts}), CAST({draw} AS INT) + 1)"

    def clock(minutes: str) -> str:
        return f"pmod({minutes}, 1440) div 60 * 100 + pmod({minutes}, 60)"

    drawn = (
        spark.range(0, rows, 1, -(-rows // FLIGHT_ROWS))
        .selectExpr(
            "id",
            f"2013 + id div {per_year} AS year",
            f"date_add(DATE'2013-01-01', CAST({day} AS INT)) AS date",
            f"300 + {pick('hour', 19)} * 60 + {pick('minute', 12)} * 5 AS leaves",
            f"{pick('flown', 10_000)} >= 245 AS flown",
            f"{pick('landed', 10_000)} >= 280 AS landed",
            f"{pick('late', 60)} * {pick('later', 60)} div 40 - 20 AS delay",
            f"{pick('made up', 41)} - 25 AS made_up",
            f"80 + {pick('distance', 214)} * 12 AS distance",
            f"{choose('carrier', CARRIERS)} AS carrier",
            f"{choose('dest', DESTINATIONS)} AS dest",
            f"{choose('origin', ORIGINS)} AS origin",
            f"1 + {pick('flight', 3_844)} AS flight",
            f"{pick('tail', 4_044)} AS tail",
            f"{pick('no tail', 10_000)} < 75 AS no_tail",
        )
        .selectExpr("*", "20 + distance div 8 AS air")
    )

    def known(when: str, value: str) -> str:
        return f"if({when}, CAST({value} AS STRING), '{UNKNOWN}')"

    both = "flown AND landed"
    owner = "element_at(array('AA', 'JB', 'UA', 'DL', 'MQ'), CAST(tail div 900 AS INT) + 1)"
    tail = f"concat('N', 100 + tail % 900, {owner})"
    return drawn.selectExpr(
        "CAST(year AS STRING) AS year",
        "CAST(month(date) AS STRING) AS month",
        "CAST(day(date) AS STRING) AS day",
        f"{known('flown', clock('leaves + delay'))} AS dep_time",
        f"CAST({clock('leaves')} AS STRING) AS sched_dep_time",
        f"{known('flown', 'delay')} AS dep_delay",
        f"{known('flown', clock('leaves + delay + air + made_up'))} AS arr_time",
        f"CAST({clock('leaves + air')} AS STRING) AS sched_arr_time",
        f"{known(both, 'delay + made_up')} AS arr_delay",
        "carrier",
        "CAST(flight AS STRING) AS flight",
        f"{known('NOT no_tail', tail)} AS tailnum",
        "origin",
        "dest",
        f"{known(both, 'air + made_up')} AS air_time",
        "CAST(distance AS STRING) AS distance",
        "CAST(leaves div 60 AS STRING) AS hour",
        "CAST(leaves % 60 AS STRING) AS minute",
        "concat(year, date_format(date, '-MM-dd'), 'T', lpad(leaves div 60, 2, '0'), ':00:00Z')"
        " AS time_hour",
    )
