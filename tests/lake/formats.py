# SPDX-License-Identifier: Apache-2.0
"""The table formats: their sessions, and tables of random layouts."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pyspark
from pyspark.sql import SparkSession

#: The version of Delta for each Spark line; that of Iceberg is the same for all.
DELTA = {"3.5": "3.3.2", "4.0": "4.0.0", "4.1": "4.1.0", "4.2": "4.4.0"}
ICEBERG = "1.11.0"

#: SQL that makes a key of a type from the number `i`; the types whose keys Sieve may collect.
KEYS = {
    "BIGINT": "CAST({i} AS BIGINT)",
    "INT": "CAST({i} AS INT)",
    "DATE": "date_add(DATE'2020-01-01', CAST({i} AS INT))",
    "STRING": "format_string('k%06d', CAST({i} AS BIGINT))",
    "DECIMAL(20, 2)": "CAST({i} AS DECIMAL(20, 2))",
}

#: A column that Delta computes from another one, and one that it numbers.
HALF, NUMBER = "half", "number"

#: The columns that every command fills.
WRITTEN = "k, v, n, part"


class Layout(NamedTuple):
    """How a table is stored; `files` slices of `rows` rows, which are clustered by the key.

    :param filled: the columns that the format fills itself, by name
    """

    key: str
    rows: int
    files: int
    partition: str
    properties: dict[str, str]
    filled: dict[str, str]

    @property
    def is_delta(self) -> bool:
        """Whether it is Delta's: MERGE may add columns, and no other command has subqueries."""
        return "delta.columnMapping.mode" in self.properties

    @property
    def columns(self) -> str:
        """The columns of the table."""
        filled = "".join(f", {name} {definition}" for name, definition in self.filled.items())
        return f"k {self.key}, v STRING, n INT, part INT{filled}"

    def select(self, number: str, label: str) -> str:
        """A row for each value of the SQL expression `number`."""
        key = KEYS[self.key].format(i=number)
        return f"{key} AS k, concat('{label}', {number}) AS v, CAST({number} % 17 AS INT) AS n"

    def insert(self) -> str:
        """The rows of a new table: every seventh key occurs twice, some are NULL."""
        number = "(id - id % 7 % 2)"
        part = f"CAST(id DIV {max(1, self.rows // 3)} AS INT) AS part"
        filled = self.select(number, "t")
        return (
            f"SELECT if(id % 31 = 30, NULL, k) AS k, v, n, part FROM (SELECT id, {filled}, {part} "
            f"FROM range(0, {self.rows}, 1, {self.files}))"
        )


def iceberg_layout(dice: Random) -> Layout:
    """A random Iceberg table."""
    key = dice.choice(list(KEYS))
    modes = {
        c: dice.choice(["copy-on-write", "merge-on-read"]) for c in ("delete", "update", "merge")
    }
    properties = {f"write.{command}.mode": mode for command, mode in modes.items()}
    properties |= {
        "format-version": dice.choice(["2", "2", "3"]),
        "write.distribution-mode": dice.choice(["none", "hash"]),
    }
    partitions = ["", "", "part", "bucket(3, k)"]
    if key in ("BIGINT", "INT", "STRING"):
        partitions.append("truncate(100, k)" if key != "STRING" else "truncate(5, k)")
    return Layout(
        key, dice.randrange(100, 400), dice.randrange(2, 7), dice.choice(partitions), properties, {}
    )


def delta_layout(dice: Random) -> Layout:
    """A random Delta table; Spark's SQL has columns that Delta fills since 4.0."""
    properties = {
        "delta.enableDeletionVectors": dice.choice(["true", "false"]),
        "delta.enableChangeDataFeed": dice.choice(["true", "false", "false"]),
        "delta.dataSkippingNumIndexedCols": dice.choice(["32", "0"]),
        "delta.columnMapping.mode": dice.choice(["none", "none", "name"]),
    }
    key = dice.choice(list(KEYS))
    fills = not pyspark.__version__.startswith("3.")
    partition = dice.choice(["", "", "part", HALF if fills else "part"])
    filled = {HALF: "INT GENERATED ALWAYS AS (n % 2)"} if partition == HALF else {}
    if fills and dice.random() < 0.25:
        filled[NUMBER] = "BIGINT GENERATED ALWAYS AS IDENTITY"
    return Layout(
        key, dice.randrange(100, 400), dice.randrange(2, 7), partition, properties, filled
    )


def create(spark: SparkSession, name: str, format_: str, layout: Layout) -> None:
    """Makes a table with its rows."""
    partitioned = f"PARTITIONED BY ({layout.partition})" if layout.partition else ""
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in layout.properties.items())
    spark.sql(f"DROP TABLE IF EXISTS {name}")
    spark.sql(
        f"CREATE TABLE {name} ({layout.columns}) USING {format_} {partitioned} "
        f"TBLPROPERTIES ({listed})"
    )
    spark.sql(f"INSERT INTO {name} ({WRITTEN}) {layout.insert()}")


def package(format_: str) -> str:
    """The Maven coordinates of a format for the Spark line of this Python."""
    line = pyspark.__version__.rpartition(".")[0]
    scala = "2.12" if line == "3.5" else "2.13"
    if format_ == "iceberg":
        return f"org.apache.iceberg:iceberg-spark-runtime-{line}_{scala}:{ICEBERG}"
    if line not in DELTA:
        raise SystemExit(f"There is no Delta for Spark {line}.")
    return f"io.delta:delta-spark_{scala}:{DELTA[line]}"


def settings(format_: str, warehouse: str) -> dict[str, str]:
    """What a session needs for a format; its packages come from Maven."""
    common = {
        "spark.sql.warehouse.dir": warehouse,
        "spark.jars.packages": package(format_),
    }
    if format_ == "delta":
        return common | {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        }
    return common | {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": warehouse,
    }
