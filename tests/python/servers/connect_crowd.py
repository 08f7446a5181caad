# SPDX-License-Identifier: Apache-2.0
"""Ten Connect clients at the same time, which test_connect.py runs with the arguments URL, FOLDER.

Each has its own session and configs, and runs the same queries.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from support import MARK, write_people

url, folder = sys.argv[1:]
first = SparkSession.builder.remote(url).create()
PEOPLE, PLACES = write_people(first, Path(folder))

#: The configs of the clients, in turn.
SWITCHES = [
    {"join": True, "filter": True},
    {"join": False, "filter": True},
    {"join": True, "filter": False},
    {"join": False, "filter": False},
]

#: What Sieve adds to the plan of a query.
OPERATORS = {"join": "DynamicFilter", "filter": "AdaptiveFilter"}

QUERIES = {
    "join": f"SELECT p.id FROM parquet.`{PEOPLE}` p JOIN parquet.`{PLACES}` q ON p.id = q.id "
    "WHERE q.dept = 'admin'",
    "filter": f"SELECT id FROM parquet.`{PEOPLE}` "
    "WHERE id % 7 = 3 AND name LIKE '%5%' AND length(name) > 7",
    "except": f"SELECT id FROM parquet.`{PEOPLE}` EXCEPT "
    f"SELECT id FROM parquet.`{PEOPLE}` WHERE id % 100 <> 5",
}


def plan(spark: SparkSession, sql: str) -> str:
    """The physical plan of a query."""
    return str(spark.sql(f"EXPLAIN {sql}").collect()[0][0])


def client(number: int) -> dict[str, Any]:
    """What one client saw."""
    on = SWITCHES[number % len(SWITCHES)]
    spark = SparkSession.builder.remote(url).create()
    seen: dict[str, Any] = {"on": on, "rows": [], "planned": {}, "error": None}
    try:
        spark.conf.set("spark.sieve.dynamicFilter.enabled", str(on["join"]).lower())
        spark.conf.set("spark.sieve.adaptiveFilter.enabled", str(on["filter"]).lower())
        spark.conf.set("spark.sieve.dynamicFilter.minScanBytes", "0")
        spark.conf.set("spark.sieve.dynamicFilter.minScanRatio", "0")
        for sql in QUERIES.values():
            seen["rows"].append(sorted(row[0] for row in spark.sql(sql).collect()))
        seen["planned"] = {name: OPERATORS[name] in plan(spark, QUERIES[name]) for name in on}
    except Exception as failure:
        seen["error"] = f"{type(failure).__name__}: {failure}"
    finally:
        spark.stop()
    return seen


with ThreadPoolExecutor(10) as pool:
    print(MARK + json.dumps(list(pool.map(client, range(10)))), flush=True)
first.stop()
