# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from advice_samples import advice, declined, table

import sparksieve
from sparksieve._advise.picture import picture_svg
from sparksieve._advise.text import advice_text, size


def test_the_text_has_the_figures_and_the_statement() -> None:
    text = advice_text(advice(table()), width=110)
    assert text.startswith(
        "Sieve: a better layout for 1 of 1 table; 1 query, whose runs took 12.5 s."
    )
    assert "today: 4 files, 4 row groups, 2.5 MB; read: 100.0 % of the files" in text
    assert "+75.0 ± 1.2 points" in text
    assert "Sieve does not run it" in text
    assert '    .parquet("<&>"))' in text
    assert "k in files, from 0 to 9" in text
    assert "─" * 28 + "  |  " + "─" * 7 in text


def test_a_good_layout_has_no_statement() -> None:
    text = str(advice(table("good", reason="The layout is good.")))
    assert "good" in text
    assert "The layout is good." in text
    assert "Sieve does not run it" not in text


def test_a_declined_table_says_why() -> None:
    made = advice(declined("It is bucketed."))
    assert made.tables[0].best is None
    assert made.rewrites == []
    assert "no advice\n  It is bucketed." in str(made)
    assert "It is bucketed." in made._repr_html_()


def test_no_query_has_run() -> None:
    nothing = sparksieve.Advice("session", [], [])
    assert str(nothing) == "Sieve: no advice, because no queries ran that can be examined."


def test_the_queries_of_a_session_have_their_shares_of_the_time() -> None:
    assert "100.0 % of the time: events: k = 5" in str(advice(table(), scope="session"))


def test_the_html_is_escaped() -> None:
    html = advice(table())._repr_html_()
    assert "<b>'" not in html
    assert "upper(s) = &#x27;&lt;b&gt;&#x27;" in html
    assert "&lt;&amp;&gt;" in html
    assert "<script" not in html


def test_the_picture_is_an_image_with_a_line_for_each_file() -> None:
    drawn = advice(table()).tables[0].picture
    assert drawn is not None
    svg = ElementTree.fromstring(picture_svg(drawn))
    assert len(list(svg.iter("line"))) == 8
    title = svg.find("title")
    assert title is not None
    assert title.text is not None
    assert "covers 100 % of its values today, and 25 % after" in title.text
    assert "var(--sieve-applied)" in picture_svg(drawn)


def test_plain_values() -> None:
    found = json.loads(json.dumps(advice(table()).to_dict()))
    assert found["tables"][0]["layouts"][0]["queries"] == {
        "1": {"files": 0.25, "row_groups": 0.25, "bytes": 0.25}
    }


def test_sizes() -> None:
    assert [size(n) for n in (0, 999, 1000, 2_500_000, 10**13)] == [
        "0 B",
        "999 B",
        "1.0 kB",
        "2.5 MB",
        "10.0 TB",
    ]


@pytest.mark.parametrize("wrong", [3, None, ["SELECT 1"]])
def test_what_advise_accepts(wrong: object) -> None:
    with pytest.raises(TypeError, match="a DataFrame, SQL text, the name of a view or table, or a"):
        sparksieve.advise(wrong)  # type: ignore[arg-type]
