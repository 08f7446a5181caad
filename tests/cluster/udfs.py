# SPDX-License-Identifier: Apache-2.0
"""Cases whose conditions have functions of users, in Python and in Java."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparksieve.demo.case import Case

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_GATE = {"spark.sieve.dynamicFilter.minScanBytes": "0"}
_SHUFFLE = {**_GATE, "spark.sql.autoBroadcastJoinThreshold": "-1"}

_EXCEPT = """
SELECT tailnum, carrier, dest, flight FROM flights WHERE month < 7 AND {0}
EXCEPT
SELECT tailnum, carrier, dest, flight FROM flights WHERE dest IN ('LAX', 'SFO')
"""

_JOIN = """
SELECT e.id, e.name, d.dept FROM employee e JOIN department d ON e.id = d.id
WHERE d.office = 'Oslo' AND {0}
"""

_FILTER = """
SELECT hour, count(*) AS lines FROM server_log
WHERE {0} AND memory > 60 AND message RLIKE 'user=[0-9]*7 status=(404|500)'
GROUP BY hour
"""


def _long(text: str | None) -> bool:
    return text is not None and len(text) > 12


def register(spark: SparkSession) -> None:
    """Makes the functions `py_long` and `java_long` known: has a text more than 12 characters?"""
    spark.udf.register("py_long", _long, "boolean")
    spark.udf.registerJavaFunction("java_long", "cluster.LongText", "boolean")


def _cases() -> list[Case]:
    found = []
    for language in ("python", "java"):
        name = {"python": "py_long", "java": "java_long"}[language]
        why = f"A {language} function in the condition."
        found += [
            Case(
                f"{language}-except",
                "EXCEPT",
                why,
                _EXCEPT.format(f"{name}(concat(carrier, tailnum, flight))"),
            ),
            Case(
                f"{language}-join",
                "A join",
                why,
                # Of both sides: Python functions of one side keep Sieve from collecting keys
                # there, and from tracing the key to the scan on the other (BatchEvalPython).
                _JOIN.format(f"{name}(concat(e.name, d.dept))"),
                conf=_SHUFFLE,
            ),
            Case(f"{language}-filter", "A filter", why, _FILTER.format(f"{name}(message)")),
        ]
    return found


CASES = _cases()
