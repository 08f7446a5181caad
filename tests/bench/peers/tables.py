# SPDX-License-Identifier: Apache-2.0
"""The tables of TPC-H and TPC-DS, and which of their columns is the date of a fact."""

from __future__ import annotations

from typing import NamedTuple


class Suite(NamedTuple):
    """A benchmark's tables.

    `dates` maps a fact to the column by which the sorted layout orders it; `columns` maps a table
    to what is selected from the generator's file, where that is not all of it.
    """

    name: str
    tables: tuple[str, ...]
    dates: dict[str, str]
    columns: dict[str, str]


TPCH = Suite(
    "tpch",
    ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"),
    {"lineitem": "l_shipdate", "orders": "o_orderdate"},
    {},
)

TPCDS = Suite(
    "tpcds",
    (
        "call_center",
        "catalog_page",
        "catalog_returns",
        "catalog_sales",
        "customer",
        "customer_address",
        "customer_demographics",
        "date_dim",
        "household_demographics",
        "income_band",
        "inventory",
        "item",
        "promotion",
        "reason",
        "ship_mode",
        "store",
        "store_returns",
        "store_sales",
        "time_dim",
        "warehouse",
        "web_page",
        "web_returns",
        "web_sales",
        "web_site",
    ),
    {
        "catalog_returns": "cr_returned_date_sk",
        "catalog_sales": "cs_sold_date_sk",
        "inventory": "inv_date_sk",
        "store_returns": "sr_returned_date_sk",
        "store_sales": "ss_sold_date_sk",
        "web_returns": "wr_returned_date_sk",
        "web_sales": "ws_sold_date_sk",
    },
    # DuckDB generates version 3 of TPC-DS; Spark's texts are of version 1, which uses this name.
    {"customer": "*, c_last_review_date_sk AS c_last_review_date"},
)

SUITES = {suite.name: suite for suite in (TPCH, TPCDS)}

LAYOUTS = {
    "sorted": "facts sorted by date",
    "unsorted": "facts in no order",
}
