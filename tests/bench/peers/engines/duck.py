# SPDX-License-Identifier: Apache-2.0
"""DuckDB, over the Parquet files."""

from __future__ import annotations

import os

import duckdb

from . import Limits, Row, Scanned


class Duck:
    """A database in memory with a view for each table."""

    def __init__(self, limits: Limits, tables: dict[str, list[str]]) -> None:
        self.database = duckdb.connect()
        for statement in (
            f"SET threads = {limits.threads}",
            f"SET memory_limit = '{limits.memory}GB'",
            "SET TimeZone = 'UTC'",
            # Spark's order of NULLs.
            "SET default_null_order = 'nulls_first_on_asc_last_on_desc'",
        ):
            self.database.execute(statement)
        for name, files in tables.items():
            listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
            self.database.execute(f"CREATE VIEW {name} AS FROM read_parquet([{listed}])")

    def version(self) -> dict[str, str]:
        """DuckDB's version."""
        return {"DuckDB": duckdb.__version__}

    def processes(self) -> list[int]:
        """This process: DuckDB runs in it."""
        return [os.getpid()]

    def run(self, sql: str) -> list[Row]:
        """Fetches the rows."""
        return self.database.execute(sql).fetchall()

    def mark(self) -> None:
        """There are no counters of scans."""

    def scanned(self, mark: None) -> Scanned:
        """There are no counters of scans."""
        return Scanned(None, None)

    def counted(self, sql: str) -> tuple[list[Row], Scanned]:
        """Fetches the rows; what was read is known from system calls only.

        The counters of DuckDB's profiles do not fit: they count the rows of row groups that were
        skipped, and only part of the bytes.
        """
        return self.run(sql), self.scanned(None)

    def close(self) -> None:
        """Closes the database."""
        self.database.close()
