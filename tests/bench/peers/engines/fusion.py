# SPDX-License-Identifier: Apache-2.0
"""DataFusion, over the Parquet files."""

from __future__ import annotations

import os

import datafusion

from . import Limits, Row, Scanned


class Fusion:
    """A session context with a table for each folder."""

    def __init__(self, limits: Limits, tables: dict[str, list[str]]) -> None:
        config = datafusion.SessionConfig(
            {
                # Spark's order of NULLs.
                "datafusion.sql_parser.default_null_ordering": "nulls_min",
            }
        ).with_target_partitions(limits.threads)
        runtime = (
            datafusion.RuntimeEnvBuilder()
            .with_disk_manager_os()
            .with_fair_spill_pool(limits.memory * 1024**3)
        )
        self.context = datafusion.SessionContext(config, runtime)
        for name, files in tables.items():
            folders = {os.path.dirname(file) for file in files}
            (folder,) = folders
            self.context.register_parquet(name, folder)

    def version(self) -> dict[str, str]:
        """DataFusion's version."""
        return {"DataFusion": datafusion.__version__}

    def processes(self) -> list[int]:
        """This process: DataFusion runs in it."""
        return [os.getpid()]

    def run(self, sql: str) -> list[Row]:
        """Collects the rows."""
        batches = self.context.sql(sql).collect()
        # By position: two columns may have one name.
        return [
            row
            for batch in batches
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
        ]

    def mark(self) -> None:
        """There are no counters of scans."""

    def scanned(self, mark: None) -> Scanned:
        """There are no counters of scans."""
        return Scanned(None, None)

    def counted(self, sql: str) -> tuple[list[Row], Scanned]:
        """Collects the rows; what was read is known from system calls only."""
        return self.run(sql), self.scanned(None)

    def close(self) -> None:
        """Nothing is open."""
