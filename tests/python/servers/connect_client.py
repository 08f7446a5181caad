# SPDX-License-Identifier: Apache-2.0
"""The program of a Connect user, which test_connect.py runs with the arguments URL and CSV."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Callable

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn

import sparksieve
from support import MARK, write_people

url, flights_csv = sys.argv[1:]
spark = SparkSession.builder.remote(url).getOrCreate()
facts: dict[str, Any] = {"session": type(spark).__module__}


def error(call: Callable[[], object]) -> list[str] | None:
    try:
        call()
    except Exception as failure:
        return [type(failure).__name__, str(failure)]
    return None


def assign(value: object) -> None:
    sparksieve.conf(spark).setop.counting.min_scan_bytes = value


def join() -> DataFrame:
    """A large side, and a small one that is filtered by a column other than the key."""
    people, places = write_people(spark, Path(flights_csv).parent)
    admins = spark.read.parquet(places).where("dept = 'admin'")
    return spark.read.parquet(people).join(admins, "id")


def bulk_filters() -> dict[str, Any]:
    """The rows that `in_file` and the objects keep, and which keys have a SQL text."""
    path = str(Path(flights_csv).with_name("carriers"))
    spark.createDataFrame([("A",), ("A",), (None,)], "value string").write.parquet(path)
    rows = spark.createDataFrame([(1, "A"), (2, "A"), (3, "B"), (4, None)], "n int, carrier string")

    def kept(filtered: DataFrame) -> list[int]:
        return sorted(row.n for row in filtered.collect())

    leaf = sparksieve.Include(rows.carrier, path)
    tree = leaf | ~sparksieve.Include("lower(upper(carrier))", path)
    keys = (
        fn.col("carrier"),
        rows["carrier"],
        fn.expr("carrier"),
        fn.lower("carrier"),
        fn.lit("c"),
    )
    return {
        "in": kept(rows.where(sparksieve.in_file("carrier", path))),
        "not in": kept(rows.where(~sparksieve.in_file(fn.col("carrier"), path, format="parquet"))),
        "exclude": kept((~leaf).apply(rows)),
        "tree": kept(sparksieve.BulkFilter.from_json(tree.to_json()).apply(rows)),
        "keys": [sparksieve.Include(key, path).key_text for key in keys],
        "missing": error(lambda: kept(rows.where(sparksieve.in_file("carrier", path + "-not")))),
    }


flights = spark.read.csv(flights_csv, header=True, inferSchema=True)
query = flights.where("month < 6").exceptAll(flights.where("month = 3"))
facts["active"] = sparksieve.is_active(spark)
facts["configure"] = error(lambda: sparksieve.configure(SparkSession.builder))
if facts["active"]:
    # Tests compare these reports row by row, without the rows of adaptive filters.
    spark.conf.set("spark.sieve.adaptiveFilter.enabled", "false")
    report = sparksieve.report(query)
    facts["report"] = report.to_dict()
    facts["text"] = str(report)
    facts["html"] = report._repr_html_()
    facts["sql"] = sparksieve.report("SELECT 1", spark).to_dict()["rows"]
    spark.range(0, 20_000, 1, 4).selectExpr("id % 1000 AS k").write.parquet(
        flights_csv + "-layout", mode="overwrite"
    )
    layout = spark.read.parquet(flights_csv + "-layout").where("k = 5")
    facts["advice"] = sparksieve.advise(layout).to_dict()
    layout.collect()
    facts["advice for the session"] = sparksieve.advise(spark).to_dict()
    facts["on"] = sorted(map(str, query.collect()))
    with sparksieve.options(spark, setop=False):
        facts["off"] = sorted(map(str, query.collect()))
        facts["report off"] = sparksieve.report(query).to_dict()
    spark.conf.set("spark.sieve.dynamicFilter.minScanBytes", "0")
    spark.conf.set("spark.sieve.dynamicFilter.minScanRatio", "0")
    joined = join()
    facts["before the run"] = sparksieve.report(joined).to_dict()["rows"]
    facts["joined"] = [row.id for row in joined.collect()]
    facts["after the run"] = sparksieve.report(joined).to_dict()["rows"]
    facts["bulk filters"] = bulk_filters()
    facts["restored"] = spark.conf.get("spark.sieve.setop.enabled", None)
    conf = sparksieve.conf(spark)
    conf.setop.counting.min_scan_bytes = "2m"
    facts["size"] = conf.setop.counting.min_scan_bytes
    del conf.setop.counting.min_scan_bytes
    facts["configs"] = [one.key for one in conf]
    facts["wrong value"] = error(lambda: assign(-5))
    facts["unknown config"] = error(lambda: conf.setopp)
    facts["function"] = [
        row["rule"]
        for row in spark.sql(
            "SELECT rule FROM sieve_report('SELECT id FROM range(9) EXCEPT ALL "
            "SELECT id FROM range(9) WHERE id = 3')"
        ).collect()
    ]
else:
    facts["report"] = error(lambda: sparksieve.report(query))
    facts["conf"] = error(lambda: sparksieve.conf(spark))
    facts["options"] = error(lambda: sparksieve.options(spark, setop=False))
    leaf = sparksieve.Include("carrier", "some-file")
    facts["bulk filters"] = error(lambda: leaf.apply(query).collect())
facts["views"] = [table.name for table in spark.catalog.listTables()]
print(MARK + json.dumps(facts), flush=True)
spark.stop()
