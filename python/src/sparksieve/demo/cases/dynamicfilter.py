# SPDX-License-Identifier: Apache-2.0
"""Joins of a large table with a small one that is filtered by a column other than the key."""

from __future__ import annotations

from sparksieve.demo.case import Case

# The gate skips scans too small to gain; with few --rows the demo's tables are below it.
GATE = {"spark.sieve.dynamicFilter.minScanBytes": "0"}
BROADCAST = {**GATE, "spark.sql.autoBroadcastJoinThreshold": "256MB"}
SHUFFLE = {**GATE, "spark.sql.autoBroadcastJoinThreshold": "-1"}

CASES: list[Case] = [
    Case(
        "keys-sort-merge",
        "Sort-merge join, 1,000 keys",
        "Spark reads, shuffles and sorts every employee to find the thousand in Oslo. Sieve "
        "collects their ids first and reads the files that can hold them.",
        """
        SELECT e.id, e.name, e.salary, d.dept
        FROM employee e JOIN department d ON e.id = d.id
        WHERE d.office = 'Oslo'
        """,
        conf=SHUFFLE,
        short=True,
    ),
    Case(
        "keys-broadcast",
        "Broadcast join, 5 keys",
        "The five administrators are broadcast to the join anyway; the scan of the employees "
        "gets their ids from there, without a job of its own.",
        """
        SELECT e.id, e.name, e.salary
        FROM employee e JOIN department d ON e.id = d.id
        WHERE d.dept = 'admin'
        """,
        conf=BROADCAST,
        short=True,
    ),
    Case(
        "keys-semi-join",
        "IN with a subquery",
        "Spark makes a semi-join of it, whose right side limits the ids on the left like a join.",
        """
        SELECT id, name, hired FROM employee
        WHERE salary > 40000 AND id IN (SELECT id FROM department WHERE office = 'Oslo')
        """,
        conf=SHUFFLE,
    ),
    Case(
        "keys-aggregate",
        "A join with an aggregation",
        "The ids are the groups, so the filter goes below the aggregation and into the scan.",
        """
        SELECT s.id, s.highest, d.dept
        FROM (SELECT id, max(salary) AS highest FROM employee GROUP BY id) s
        JOIN department d ON s.id = d.id
        WHERE d.dept = 'admin'
        """,
        conf=BROADCAST,
    ),
]
