# SPDX-License-Identifier: Apache-2.0
"""Writes the generator's rows as Spark's Parquet writer would: `-m peers.layout` with a JSON.

Dimensions are written once. Facts are written once in the generator's order, which is no order of
dates, and once sorted by date. A fact has files of about 128 MB, and at least eight.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from .tables import SUITES, Suite

FILE_BYTES = 128 << 20
FEWEST_FILES = 8


def write(spark: SparkSession, suite: Suite, home: Path, layout: str) -> None:
    """Writes the tables of a layout that do not exist; `common` is the layout of dimensions."""
    for table in suite.tables:
        target = home / layout / table
        if target.is_dir() or (table in suite.dates) == (layout == "common"):
            continue
        source = home / "generated" / f"{table}.parquet"
        size = source.stat().st_size
        files = -(-size // FILE_BYTES)
        if table in suite.dates:
            files = max(files, FEWEST_FILES)
        # The generator's file is split where its row groups end.
        spark.conf.set("spark.sql.files.maxPartitionBytes", str(-(-size // files)))
        spark.conf.set("spark.sql.files.openCostInBytes", "0")
        query = f"SELECT * FROM parquet.`{source}`"  # noqa: S608
        if layout == "sorted":
            date = suite.dates[table]
            query = (
                f"SELECT /*+ REPARTITION_BY_RANGE({files}, {date}) */ * "  # noqa: S608
                f"FROM parquet.`{source}` SORT BY {date}"
            )
        unfinished = target.with_name(table + ".unfinished")
        spark.sql(query).write.mode("overwrite").parquet(str(unfinished))
        unfinished.rename(target)
        print(f"    wrote {layout}/{table}", flush=True)


def main() -> None:
    """Writes the layouts that the JSON on the command line names."""
    words = json.loads(sys.argv[1])
    builder: Any = SparkSession.builder.master(f"local[{words['threads']}]").appName("layout")
    for key, value in {
        "spark.driver.memory": f"{words['memory']}g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # A sorted fact gets the number of files that is asked for.
        "spark.sql.adaptive.enabled": "false",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    home = Path(words["home"])
    for layout in ("common", *words["layouts"]):
        write(spark, SUITES[words["suite"]], home, layout)
    spark.stop()


if __name__ == "__main__":
    main()
