# SPDX-License-Identifier: Apache-2.0
"""Writes the TPC-DS tables as Parquet, one file for each: ``tpcds.py FOLDER [SCALE]``.

The generator is DuckDB's, from the packages in ``project/requirements-bench.txt``; it fetches
nothing. A scale of 1 takes half a minute and 300 MB. The same scale gives the same files.
"""

import importlib.util
import shutil
import sys
from pathlib import Path

import duckdb


def extension() -> Path:
    """The path of the extension's library, which is inside its own package."""
    spec = importlib.util.find_spec("duckdb_extension_tpcds")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("duckdb-extension-tpcds is not installed.")
    inside = Path(spec.submodule_search_locations[0]) / "extensions"
    found = inside / f"v{duckdb.__version__}" / "tpcds.duckdb_extension"
    if not found.is_file():
        raise SystemExit(f"There is no TPC-DS extension for DuckDB {duckdb.__version__}.")
    return found


def quoted(path: Path) -> str:
    """``path`` as a SQL literal."""
    return "'" + str(path).replace("'", "''") + "'"


def generate(folder: Path, scale: float) -> None:
    """Writes ``<table>.parquet`` for every table to ``folder``, which must not exist."""
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    database = duckdb.connect()
    # With several threads, the order of rows in a file would differ from run to run.
    database.execute("SET threads = 1")
    database.execute(f"LOAD {quoted(extension())}")
    database.execute(f"CALL dsdgen(sf = {scale})")
    for (table,) in database.execute("SHOW TABLES").fetchall():
        file = unfinished / f"{table}.parquet"
        database.execute(f"COPY {table} TO {quoted(file)} (FORMAT parquet)")
    # Last, so that a folder with its final name is complete.
    unfinished.rename(folder)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    generate(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) == 3 else 1.0)
