# SPDX-License-Identifier: Apache-2.0
"""Filters of several predicates, whose best order depends on the data."""

from __future__ import annotations

from sparksieve.demo.case import Case

CASES: list[Case] = [
    Case(
        "order-costly-first",
        "A regular expression, written first",
        "Spark evaluates predicates as they are written: the regular expression for every line. "
        "Sieve measures cost and selectivity, and evaluates it only for the few lines that are "
        "left.",
        """
        SELECT hour, count(*) AS lines FROM server_log
        WHERE message RLIKE 'user=[0-9]*7 status=(404|500)' AND memory > 60 AND cpu > 60
        GROUP BY hour
        """,
        short=True,
    ),
    Case(
        "order-server-load",
        "Working hours under load",
        "Five predicates that are all cheap: little to gain by their order; each is evaluated "
        "for a batch of rows in one loop.",
        """
        SELECT hour, count(*) AS lines, max(network) AS network FROM server_log
        WHERE hour > 7 AND hour < 16 AND memory > 60 AND cpu > 60 AND network > 30
        GROUP BY hour
        """,
    ),
    Case(
        "order-drift",
        "The selective predicate changes at noon",
        "PUT is rare in the morning and GET in the afternoon, so that no single order is best "
        "all day; Sieve changes the order at noon.",
        """
        SELECT count(*) AS lines FROM server_log
        WHERE message RLIKE '(GET|HEAD) /item/[0-9]*5 ' AND message RLIKE 'status=(404|500)$'
          AND message LIKE '%user=1%'
        """,
    ),
    Case(
        "order-guarded",
        "A cast behind its guard",
        "The cast fails on 'n/a' under ANSI mode, so it is never moved ahead of its guard; "
        "predicates that cannot fail move ahead of both.",
        """
        SELECT count(*) AS lines, max(CAST(took_ms AS INT)) AS slowest FROM server_log
        WHERE took_ms RLIKE '^[0-9]+$' AND CAST(took_ms AS INT) > 2000 AND network > 90
        """,
    ),
]
