# SPDX-License-Identifier: Apache-2.0
"""The table of the adaptive filters: a server log of one day, ordered by time.

Spark generates it from the row number alone, so it is the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LINES_A_FLIGHT = 10
"""The number of lines for each flight: an adaptive filter learns its order from many rows."""

FILES = 8
"""The number of files with lines, one after the other in time."""


def server_log(spark: SparkSession, rows: int) -> DataFrame:
    """``rows`` lines: hour, use of memory, CPU and network in percent, a message, ``took_ms``.

    The frequent messages of the first half of the day are rare in the second half.
    """
    late = f"id >= {rows // 2}"

    def percent(name: str) -> str:
        return f"CAST(pmod(xxhash64(id, '{name}'), 100) AS INT) AS {name}"

    kind = f"pmod(xxhash64(id, 'kind'), 100) < if({late}, 4, 90)"
    return spark.range(0, rows, 1, FILES).selectExpr(
        "id",
        f"CAST(id * 24 DIV {max(rows, 1)} AS INT) AS hour",
        percent("memory"),
        percent("cpu"),
        percent("network"),
        f"concat(if({kind}, 'GET /item/', 'PUT /cart/'), pmod(xxhash64(id, 'item'), 100000), "
        "' user=', pmod(xxhash64(id, 'user'), 5000), ' status=', "
        "element_at(array('200', '200', '200', '404', '500', 'timeout'), "
        "CAST(pmod(xxhash64(id, 'status'), 6) AS INT) + 1)) AS message",
        "if(id % 7 = 0, 'n/a', CAST(pmod(xxhash64(id, 'took'), 3000) AS STRING)) AS took_ms",
    )
