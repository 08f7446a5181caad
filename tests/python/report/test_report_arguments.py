# SPDX-License-Identifier: Apache-2.0
"""What `report` accepts. No JVM is started here."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

import sparksieve


class DataFrame:
    """Not Spark's, as that of pandas is not."""


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (42, "int"),
        (None, "NoneType"),
        (["SELECT 1"], "list"),
        (SparkSession, "type"),
        (SparkSession.builder, "Builder"),
        (DataFrame(), "DataFrame"),
    ],
)
def test_what_is_no_query_is_refused_first(
    value: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparksieve._report.source.active_session", pytest.fail)
    monkeypatch.setattr("sparksieve._report.source.is_connect", pytest.fail)
    with pytest.raises(TypeError) as raised:
        sparksieve.report(value)
    assert str(raised.value) == (
        "sparksieve.report accepts a DataFrame, SQL text, or the name of a view or table, not a "
        f"value of type {kind}."
    )
