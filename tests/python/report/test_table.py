# SPDX-License-Identifier: Apache-2.0
"""Tables for terminals."""

from __future__ import annotations

from sparksieve._table import format_table


def test_columns_are_aligned() -> None:
    assert format_table(("a", "long name"), [("1", "x"), ("22", "y")], width=80) == (
        "a   long name\n--  ---------\n1   x\n22  y"
    )


def test_only_wide_columns_give_way() -> None:
    text = format_table(("k", "doc"), [("applied", "word " * 30)], width=40)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith("applied  word word")
    assert lines[3].startswith("         word")


def test_a_table_without_rows_has_its_head() -> None:
    assert format_table(("a", "b"), [], width=80) == "a  b\n-  -"


def test_lines_within_a_cell_are_kept() -> None:
    assert format_table(("a",), [("x\ny",)], width=80) == "a\n-\nx\ny"
