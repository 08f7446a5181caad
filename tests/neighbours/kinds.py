# SPDX-License-Identifier: Apache-2.0
"""The extensions of other projects, and how their tables are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

SIEVE = "io.sparksieve.SieveExtensions"

HUDI_CATALOG = "org.apache.spark.sql.hudi.catalog.HoodieCatalog"


@dataclass(frozen=True)
class Neighbour:
    """An extension.

    :param confs: what a session needs for it besides its extension and its jar
    :param catalog: the catalog of its tables, if that is not Spark's own
    :param properties: of its tables
    :param changes: whether its tables can be changed row by row
    :param early: whether Spark loads classes of the jar before it adds the jars of a session
    """

    name: str
    extension: str
    format: str
    confs: dict[str, str] = field(default_factory=dict)
    catalog: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    changes: bool = True
    early: bool = False

    def session(self, variant: str, jars: list[str], warehouse: Path) -> dict[str, str]:
        """The configs of a session of one of :data:`VARIANTS`."""
        warehouses = {f"spark.sql.catalog.{self.catalog}.warehouse": str(warehouse / "lake")}
        return {
            **COMMON,
            **self.confs,
            **(warehouses if self.catalog else {}),
            "spark.sql.extensions": ",".join(VARIANTS[variant](self.extension)),
            "spark.sql.warehouse.dir": str(warehouse),
            "spark.jars": ",".join(jars),
        }


COMMON = {
    "spark.master": "local[2]",
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    # Small tables are filtered too.
    "spark.sieve.dynamicFilter.minScanBytes": "0",
    "spark.sieve.dynamicFilter.minScanRatio": "0",
    "spark.sieve.setop.counting.minScanBytes": "0",
}

#: The orders of the extensions, by name. The first is what the others are compared with.
VARIANTS = {
    "alone": lambda other: [other],
    "Sieve first": lambda other: [SIEVE, other],
    "Sieve last": lambda other: [other, SIEVE],
}

NEIGHBOURS = {
    one.name: one
    for one in (
        Neighbour(
            "delta",
            "io.delta.sql.DeltaSparkSessionExtension",
            "delta",
            {"spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog"},
        ),
        Neighbour(
            "iceberg",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "iceberg",
            {
                "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
                "spark.sql.catalog.lake.type": "hadoop",
            },
            catalog="lake",
        ),
        Neighbour(
            "hudi",
            "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
            "hudi",
            {
                "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
                "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
                "spark.sql.catalog.spark_catalog": HUDI_CATALOG,
            },
            properties={"primaryKey": "id", "type": "cow"},
        ),
        Neighbour(
            "comet",
            "org.apache.comet.CometSparkSessionExtensions",
            "parquet",
            {
                "spark.plugins": "org.apache.spark.CometPlugin",
                "spark.shuffle.manager": (
                    "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager"
                ),
                "spark.memory.offHeap.enabled": "true",
                "spark.memory.offHeap.size": "2g",
            },
            changes=False,
            early=True,
        ),
    )
}
