# SPDX-License-Identifier: Apache-2.0
"""Runs random queries on a lake table that has a history, with Sieve off and on."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from .commands import command
from .formats import WRITTEN, Layout
from .queries import Query, query

if TYPE_CHECKING:
    from .__main__ import Runner

#: The queries that read one pair of tables.
QUERIES = 10


def select(runner: Runner, layout: Layout, dice: Random, verbose: bool) -> list[str | None]:
    """Runs queries on new tables; for each what differs, or None."""
    runner.fresh(layout)
    _age(runner, layout, dice)
    wanted = [query(dice, layout) for _ in range(QUERIES)]
    found = []
    for one in wanted:
        writes = dice.random() < 0.1
        if verbose:
            print(one.sql, flush=True)
        wrong = _compare(runner, one, layout, _earlier(runner, dice), writes)
        found.append(wrong and f"{layout}\n{one}\na writer: {writes}\n{wrong}")
    return found


def _age(runner: Runner, layout: Layout, dice: Random) -> None:
    """Changes the first table: other commands, a column more, and for Iceberg a branch."""
    spark, table = runner.spark, runner.table("off")
    spark.conf.set("spark.sieve.enabled", "false")
    for _ in range(dice.randrange(3)):
        wanted = command(dice, layout)
        spark.sql("DROP TABLE IF EXISTS src")
        spark.sql(f"CREATE TABLE src USING parquet AS {wanted.source}")
        # Whether it fails does not matter here.
        runner.attempt(wanted.sql.replace("{t}", table), "off")
    if dice.random() < 0.3:
        spark.sql(f"ALTER TABLE {table} ADD COLUMNS (more STRING)")
        spark.sql(f"INSERT INTO {table} ({WRITTEN}) {layout.insert()}")
    if runner.format == "iceberg" and dice.random() < 0.5:
        spark.sql(f"ALTER TABLE {table} CREATE BRANCH other")
        spark.sql(f"INSERT INTO {table}.branch_other ({WRITTEN}) {layout.insert()}")


def _earlier(runner: Runner, dice: Random) -> str:
    """An earlier state of the first table, or a branch."""
    spark, table = runner.spark, runner.table("off")
    if runner.format == "delta":
        last = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").first()
        assert last is not None
        return f"{table} VERSION AS OF {dice.randint(min(1, last.version), last.version)}"
    refs = [row.name for row in spark.sql(f"SELECT name FROM {table}.refs").collect()]
    if "other" in refs and dice.random() < 0.5:
        return f"{table} VERSION AS OF 'other'"
    kept = spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at").collect()
    return f"{table} VERSION AS OF {dice.choice(kept).snapshot_id}"


def _compare(runner: Runner, one: Query, layout: Layout, old: str, writes: bool) -> str | None:
    spark = runner.spark
    spark.sql("DROP TABLE IF EXISTS src")
    spark.sql(f"CREATE TABLE src USING parquet AS {one.source}")
    for key, value in one.settings.items():
        spark.conf.set(key, value)
    sql = one.sql.replace("{t}", runner.table("off")).replace("{u}", runner.table("on"))
    sql = f"SELECT to_json(struct(*)) FROM ({sql.replace('{old}', old)})"
    frames, outcomes = {}, {}
    for side in ("off", "on"):
        spark.conf.set("spark.sieve.enabled", str(side == "on").lower())
        frames[side] = spark.sql(sql)
        # Planned now, and run later.
        frames[side]._jdf.queryExecution().executedPlan()
    if writes:
        spark.conf.set("spark.sieve.enabled", "false")
        runner.insert(runner.table("off"), layout).join()
    for side, frame in frames.items():
        spark.conf.set("spark.sieve.enabled", str(side == "on").lower())
        outcomes[side] = runner.result(lambda frame=frame: frame, side)
    spark.conf.set("spark.sieve.enabled", "false")
    return None if outcomes["off"] == outcomes["on"] else _difference(outcomes, old)


def _difference(outcomes: dict[str, Any], old: str) -> str:
    return f"old: {old}\noff: {str(outcomes['off'])[:1000]}\non: {str(outcomes['on'])[:1000]}"
