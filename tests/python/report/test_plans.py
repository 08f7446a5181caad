# SPDX-License-Identifier: Apache-2.0
"""Plans as comparable text."""

from __future__ import annotations

from sparksieve._report.plans import renumbered, without_numbers


def test_numbers_follow_the_order_of_appearance() -> None:
    plan = "Project [a#204, b#17L]\n+- Filter (a#204 = 3)\n   +- Exchange [plan_id=17]"
    assert renumbered(plan) == (
        "Project [a#1, b#2L]\n+- Filter (a#1 = 3)\n   +- Exchange [plan_id=3]"
    )


def test_two_plannings_of_one_query_are_equal() -> None:
    assert renumbered("[a#1, b#2] c#3") == renumbered("[a#31, b#12] c#53")
    assert renumbered("[a#1, a#2]") != renumbered("[a#1, a#1]")


def test_a_line_is_found_whatever_its_numbers() -> None:
    assert without_numbers("Filter (a#1L > 3)") == without_numbers("Filter (a#9L > 3)")
