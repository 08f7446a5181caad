# SPDX-License-Identifier: Apache-2.0
"""The data that the last query read and its operators, from Spark's own status stores.

Classic PySpark only: Connect does not expose these stores, and the demo's session is always
classic. The members used here exist unchanged from Spark 3.5 to 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCANS = ("Scan", "BatchScan", "InMemoryTableScan", "LocalTableScan", "Range")


@dataclass(frozen=True)
class Work:
    """The work of one execution: rows and bytes that scans read, bytes shuffled, operators.

    ``dynamic_filters`` counts the operators that filter by keys collected at run time, ``filters``
    are the names of all operators that filter rows, in alphabetical order.
    """

    rows_read: int
    bytes_read: int
    bytes_shuffled: int
    scans: int
    joins: int
    exchanges: int
    dynamic_filters: int
    filters: tuple[str, ...]


def last_execution(spark: SparkSession) -> Work:
    """The work of the query that ended last, with the final plan of adaptive execution."""
    context: Any = spark.sparkContext._jsc.sc()
    store: Any = spark._jsparkSession.sharedState().statusStore()
    # Events arrive on another thread; without the wait the last ones may be missing.
    context.listenerBus().waitUntilEmpty()
    execution = store.executionsList(int(store.executionsCount()) - 1, 1).apply(0)
    stages = [context.statusStore().lastStageAttempt(s) for s in _each(execution.stages())]
    names = [_operator(n) for n in _each(store.planGraph(execution.executionId()).allNodes())]
    return Work(
        rows_read=sum(int(s.inputRecords()) for s in stages),
        bytes_read=sum(int(s.inputBytes()) for s in stages),
        bytes_shuffled=sum(int(s.shuffleWriteBytes()) for s in stages),
        scans=sum(name in SCANS for name in names),
        joins=sum(name.endswith("Join") or name == "CartesianProduct" for name in names),
        exchanges=sum(name.endswith("Exchange") and "Reused" not in name for name in names),
        dynamic_filters=names.count("DynamicFilter"),
        filters=tuple(sorted(name for name in names if name.endswith("Filter"))),
    )


def _operator(node: Any) -> str:
    # A scan is named "Scan parquet <table>", a cached one "InMemoryTableScan".
    words: list[str] = str(node.name()).split()
    return words[0] if words else ""


def _each(scala: Any) -> Iterator[Any]:
    iterator = scala.iterator()
    while iterator.hasNext():
        yield iterator.next()
