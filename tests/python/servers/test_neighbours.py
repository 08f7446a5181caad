# SPDX-License-Identifier: Apache-2.0
"""What `./sbt neighbours` says of rows, errors and verdicts; no session is started here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from neighbours.kinds import NEIGHBOURS, SIEVE, VARIANTS
from neighbours.steps import steps, tables
from neighbours.verdict import Verdict, judge, line, summary

ALONE = {"rows": "3 abc"}


def found(**values: Any) -> Verdict:
    """The verdict on a step with three rows."""
    return judge(ALONE, {"rows": "3 abc", "applied": [], "declined": [], **values})


def test_equal_rows_are_ok_and_the_line_says_what_sieve_did() -> None:
    assert found(applied=["A", "B"], declined=["c"]) == (True, "A, B")
    assert found(declined=["foreign-operator"]) == (True, "declined: foreign-operator")
    assert found() == (True, "–")
    assert "ok: A" in line("delta", "Sieve first", "except", found(applied=["A"]))


def test_other_rows_and_errors_of_sieve_fail() -> None:
    assert found(rows="2 abd") == (False, "rows 2 abd instead of 3 abc")
    assert judge(ALONE, {"error": "lost"}) == (False, "fails only with Sieve: lost")
    assert not judge({"error": "lost"}, {"rows": "3 abc"}).ok
    assert judge({"error": "lost"}, {"error": "gone"}).ok
    assert summary([found(), found(rows="0 x")]) == "1 passed, 1 failed"


def test_the_extensions_stand_in_both_orders(tmp_path: Path) -> None:
    comet = NEIGHBOURS["comet"]
    orders = [comet.session(v, ["x.jar"], tmp_path)["spark.sql.extensions"] for v in VARIANTS]
    assert orders == [
        comet.extension,
        f"{SIEVE},{comet.extension}",
        f"{comet.extension},{SIEVE}",
    ]


def test_tables_of_a_catalog_are_made_there_and_only_tables_that_can_be_are_changed(
    tmp_path: Path,
) -> None:
    assert tables(NEIGHBOURS["iceberg"], tmp_path)[1] == "USE lake.db"
    assert "primaryKey" in tables(NEIGHBOURS["hudi"], tmp_path)[0]
    names = {name: [step.name for step in steps(NEIGHBOURS[name], tmp_path)] for name in NEIGHBOURS}
    assert "merge" in names["delta"]
    assert "merge" not in names["comet"]
