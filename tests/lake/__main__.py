# SPDX-License-Identifier: Apache-2.0
"""Runs random commands on two copies of lake tables, with Sieve off on one and on on the other.

    PYTHONPATH=tests:python/src python -m lake --format iceberg|delta [--count 100] [--seed 1]
        [--selects] [--jar FILE] [--only N] [--verbose]

Needs pyspark 3.5 to 4.2 (Iceberg: to 4.1) and Sieve's jar of that line; Spark fetches the format.
After each command both tables must have the same rows, a failing command must fail alike, and of
Delta the counts in the history and the change data must be equal. In a tenth of the commands
another session inserts rows meanwhile. With `--selects`, random joins read one table with Sieve off
and on; in a tenth of them a writer commits after they are planned. The last line is `N passed,
N failed, N filtered`, the last the commands or queries in which a filter by keys ran; the exit code
is 1 if one failed.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import DataFrame, SparkSession

import sparksieve

from .commands import SIEVE, Command, command
from .formats import NUMBER, WRITTEN, Layout, create, delta_layout, iceberg_layout, settings
from .selects import QUERIES, select

#: The commands that change one pair of tables, one after the other.
IN_A_ROW = 5

#: The counts in Delta's history that must not depend on Sieve.
COUNTS = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted", "numSourceRows")


#: Small tables, few files, no messages, and only the executions of the last command.
QUIET = {
    "spark.ui.enabled": "false",
    "spark.sql.ui.retainedExecutions": "40",
    "spark.log.level": "OFF",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "3g",
    "spark.sql.shuffle.partitions": "3",
    "spark.databricks.delta.snapshotPartitions": "2",
}


class Runner:
    """A session, in which commands run with Sieve off and on."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.format = options.format
        self.warehouse = Path(tempfile.mkdtemp(prefix="lake"))
        builder = SparkSession.builder.master("local[2]").appName("lake")
        builder = builder.config(map=QUIET | settings(self.format, str(self.warehouse)))
        on = {"minTargetRatio": "0"}
        gates = {"minScanBytes": "0", "minScanRatio": "0", "footers.minFiles": "1"}
        for key, value in (on | gates).items():
            builder = builder.config(f"{SIEVE}.{key}", value)
        self.spark = sparksieve.configure(builder, jar=options.jar).getOrCreate()
        self.filtered = 0
        self.lost = False

    def table(self, side: str) -> str:
        """The name of the table of a side, `off` or `on`."""
        return f"ice.db.t_{side}" if self.format == "iceberg" else f"t_{side}"

    def fresh(self, layout: Layout) -> None:
        """Makes both tables."""
        for side in ("off", "on"):
            create(self.spark, self.table(side), self.format, layout)

    def run(self, wanted: Command, layout: Layout, writes: bool) -> str | None:
        """Runs a command on both tables; what differs, or None."""
        self.spark.sql("DROP TABLE IF EXISTS src")
        self.spark.sql(f"CREATE TABLE src USING parquet AS {wanted.source}")
        for key, value in wanted.settings.items():
            self.spark.conf.set(key, value)
        outcomes = {}
        self.lost = False
        for side in ("off", "on"):
            self.spark.conf.set("spark.sieve.enabled", str(side == "on").lower())
            writer = self.insert(self.table(side), layout) if writes else None
            outcomes[side] = self.attempt(wanted.sql.replace("{t}", self.table(side)), side)
            if writer:
                writer.join()
        self.spark.conf.set("spark.sieve.enabled", "false")
        if writes and (self.lost or any(outcomes.values())):
            # Which of two commits loses is a matter of time.
            return None
        if outcomes["off"] != outcomes["on"]:
            return f"off: {outcomes['off']}\non: {outcomes['on']}"
        states = {side: self.state(self.table(side), layout, writes) for side in ("off", "on")}
        for part, off in states["off"].items():
            on = states["on"][part]
            if off != on:
                return f"{part}\noff only: {only(off, on)}\non only: {only(on, off)}"
        return None

    def attempt(self, sql: str, side: str) -> str:
        """Runs a command; the class of its error, or an empty text."""
        outcome = self.result(lambda: self.spark.sql(sql), side)
        return outcome if isinstance(outcome, str) else ""

    def result(self, frame: Callable[[], DataFrame], side: str) -> str | list[str]:
        """The rows of a frame as texts, sorted; if it fails, the class of its error."""
        before = self.last_execution()
        try:
            return sorted(str(row) for row in frame().collect())
        except Exception as error:
            # Spark 3.5 has another name for it.
            other = getattr(error, "getErrorClass", lambda: None)
            condition = getattr(error, "getCondition", other)()
            # Some messages have the path of the table.
            text = str(error).replace(f"t_{side}", "t")
            return condition or f"{type(error).__name__}: {text[:200]}"
        finally:
            if side == "on":
                runs = [run for run in self.executions() if run.executionId() > before]
                self.filtered += any(
                    "DynamicFilter " in (r.physicalPlanDescription() or "") for r in runs
                )

    def executions(self) -> list[Any]:
        """The last executions that Spark keeps."""
        runs = self.spark._jsparkSession.sharedState().statusStore().executionsList()
        return [runs.apply(i) for i in range(runs.size())]

    def last_execution(self) -> int:
        """The number of the last execution."""
        return max((run.executionId() for run in self.executions()), default=-1)

    def insert(self, table: str, layout: Layout) -> threading.Thread:
        """Inserts rows whose keys no source has, while a command runs."""
        rows = f"SELECT {layout.select('(-1 - id)', 'w')}, 1 AS part FROM range(3)"

        def write() -> None:
            time.sleep(0.3)
            # The command may have won; then there is nothing to compare.
            try:
                self.spark.newSession().sql(f"INSERT INTO {table} ({WRITTEN}) {rows}").collect()
            except Exception as error:
                print(f"    the other writer: {str(error)[:100]}", flush=True)
                self.lost = True

        thread = threading.Thread(target=write)
        thread.start()
        return thread

    def state(self, table: str, layout: Layout, writes: bool) -> dict[str, list[Any]]:
        """The rows of a table, and what else must not depend on Sieve."""
        # A session's catalog keeps a table as it was, and the other writer has another session.
        self.spark.sql(f"REFRESH TABLE {table}")
        # As JSON, NULL and the text "null" differ, and so do decimals of different scales.
        # The numbers of new rows depend on the order in which they are written.
        columns = f"* EXCEPT ({NUMBER})" if NUMBER in layout.filled else "*"
        found = {"rows": self.texts(f"SELECT to_json(struct({columns})) FROM {table}")}
        if self.format == "delta" and not writes:
            last = self.spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").first()
            assert last is not None
            found["history"] = [f"{name}: {last.operationMetrics.get(name)}" for name in COUNTS]
            if layout.properties["delta.enableChangeDataFeed"] == "true":
                changes = f"table_changes('{table}', {last.version})"
                columns = f"{WRITTEN}, _change_type"
                found["changes"] = self.texts(f"SELECT to_json(struct({columns})) FROM {changes}")
        return found

    def texts(self, sql: str) -> list[str]:
        """The rows of a query with one column, sorted."""
        return sorted(str(row[0]) for row in self.spark.sql(sql).collect())


def only(some: list[Any], others: list[Any]) -> list[Any]:
    """The first elements of `some` that are not in `others`, or occur more often."""
    left = list(others)
    return [one for one in some if one not in left or left.remove(one)][:5]


def main() -> None:
    """Runs the commands."""
    parser = argparse.ArgumentParser(prog="lake", description=__doc__)
    parser.add_argument("--format", choices=["iceberg", "delta"], required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--selects", action="store_true", help="random queries, not commands")
    parser.add_argument("--jar")
    parser.add_argument("--only", type=int, help="the tables of this number only")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    runner = Runner(options)
    make = iceberg_layout if options.format == "iceberg" else delta_layout
    passed = failed = 0
    each = QUERIES if options.selects else IN_A_ROW
    numbers = [options.only] if options.only is not None else range(-(-options.count // each))
    for number in numbers:
        dice = Random(options.seed * 1_000_003 + number)
        layout = make(dice)
        if options.selects:
            found = select(runner, layout, dice, options.verbose)
            for wrong in filter(None, found):
                again = f"--selects --format {options.format} --seed {options.seed} --only {number}"
                print(f"==== again with {again}\n{wrong}", flush=True)
            failed += sum(wrong is not None for wrong in found)
            passed += found.count(None)
            print(f"  {passed} passed, {failed} failed, {runner.filtered} filtered", flush=True)
            continue
        runner.fresh(layout)
        for _ in range(IN_A_ROW):
            wanted = command(dice, layout)
            writes = wanted.keeps_others and dice.random() < 0.1
            if options.verbose:
                print(f"{number}: {wanted.sql}", flush=True)
            wrong = runner.run(wanted, layout, writes)
            if wrong is None:
                passed += 1
                if not writes:
                    continue
            else:
                failed += 1
                again = f"--format {options.format} --seed {options.seed} --only {number}"
                print(f"==== again with {again}\n{layout}\n{wanted}\n{wrong}", flush=True)
            # What follows would compare different tables.
            runner.fresh(layout)
        print(f"  {passed} passed, {failed} failed, {runner.filtered} filtered", flush=True)
    runner.spark.stop()
    print(f"{passed} passed, {failed} failed, {runner.filtered} filtered")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
