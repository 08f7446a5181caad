# SPDX-License-Identifier: Apache-2.0
"""Writes the generator's rows of a suite as Parquet, one file for each table.

The generators are DuckDB's, from the packages in `project/requirements-bench.txt`; they fetch
nothing. The same scale gives the same rows in the same order.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import duckdb

from .tables import Suite

# dsdgen and dbgen by suite.
GENERATORS = {"tpch": "dbgen", "tpcds": "dsdgen"}


def extension(suite: str) -> Path:
    """The path of a generator's library, which is inside its own package."""
    package = f"duckdb_extension_{suite}"
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package.replace('_', '-')} is not installed.")
    inside = Path(spec.submodule_search_locations[0]) / "extensions"
    found = inside / f"v{duckdb.__version__}" / f"{suite}.duckdb_extension"
    if not found.is_file():
        raise SystemExit(f"{package} has nothing for DuckDB {duckdb.__version__}.")
    return found


def quoted(path: Path) -> str:
    """`path` as a SQL literal."""
    return "'" + str(path).replace("'", "''") + "'"


def generate(suite: Suite, scale: float, folder: Path) -> None:
    """Writes `<table>.parquet` for each table to `folder`, unless it exists."""
    if folder.is_dir():
        return
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    file = unfinished / "generated.duckdb"
    with duckdb.connect(str(file)) as database:
        # With several threads, the order of the rows would differ from run to run.
        database.execute("SET threads = 1")
        database.execute("SET memory_limit = '4GB'")
        database.execute(f"LOAD {quoted(extension(suite.name))}")
        database.execute(f"CALL {GENERATORS[suite.name]}(sf = {scale})")
        for table in suite.tables:
            columns = suite.columns.get(table, "*")
            target = quoted(unfinished / f"{table}.parquet")
            # Nothing here comes from outside.
            database.execute(f"COPY (SELECT {columns} FROM {table}) TO {target} (FORMAT parquet)")  # noqa: S608
    file.unlink()
    # Last, so that a folder with its final name is complete.
    unfinished.rename(folder)
