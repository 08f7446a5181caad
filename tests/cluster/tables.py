# SPDX-License-Identifier: Apache-2.0
"""The demo's tables, written by the first driver of a run and opened again by the others.

Schemas and sizes are kept with the data. Without them, each driver would run twenty jobs before its
first query, to read footers and count rows.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sparksieve.demo import data
from sparksieve.demo.case import Tables
from sparksieve.demo.options import Options
from sparksieve.demo.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def tables(spark: SparkSession, home: Path, rows: int) -> Tables:
    """Creates the views of the demo over `rows` generated flights, whose files are in `home`."""
    kept = home / f"tables-{rows}.json"
    if not kept.exists():
        made = data.prepare(spark, _options(home, rows), Progress(data.STEPS, sys.stderr))
        views = [view.name for view in spark.catalog.listTables() if view.isTemporary]
        kept.write_text(
            json.dumps({"tables": asdict(made), "views": {v: _view(spark, v) for v in views}})
        )
        return made
    found = json.loads(kept.read_text())
    for name, view in found["views"].items():
        _open(spark, name, view)
    return Tables(**found["tables"])


def _options(home: Path, rows: int) -> Options:
    return Options(
        data="generated",
        rows=rows,
        scale=1,
        seed=2013,
        runs=1,
        features={},
        out=home / "unused",
        json=None,
        master="",
        cache=home / "data",
    )


def _view(spark: SparkSession, name: str) -> dict[str, Any]:
    table = spark.table(name)
    # All tables of the demo are folders without partitions.
    file = str(table.inputFiles()[0])
    folder, _, last = file.rpartition("/")
    return {
        "folder": folder,
        "format": last.rpartition(".")[2],
        "schema": json.loads(table.schema.json()),
    }


def _open(spark: SparkSession, name: str, view: dict[str, Any]) -> None:
    from pyspark.sql.types import StructType

    reader = spark.read.format(view["format"]).schema(StructType.fromJson(view["schema"]))
    reader.option("header", "true").load(view["folder"]).createOrReplaceTempView(name)
