# SPDX-License-Identifier: Apache-2.0
"""How the demo finds its cases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparksieve.demo import cases
from sparksieve.demo.case import Case

FEATURE = """
from sparksieve.demo.case import Case

CASES = [Case({name!r}, "A title", "A reason.", "SELECT 1")]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules count as features, beside those of the package."""
    before = set(sys.modules)
    monkeypatch.setattr(cases, "__path__", [*cases.__path__, str(tmp_path)])
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("sparksieve.demo.cases."):
            del sys.modules[name]


def test_one_file_adds_a_feature(folder: Path) -> None:
    (folder / "newfeature.py").write_text(FEATURE.format(name="new-case"))
    features = cases.discover()
    assert [case.name for case in features["newfeature"]] == ["new-case"]
    assert features["setop"]


def test_a_name_used_twice_is_refused(folder: Path) -> None:
    (folder / "newfeature.py").write_text(FEATURE.format(name="except-all"))
    with pytest.raises(
        ValueError, match=r"'except-all' is in setop and in newfeature|newfeature.*setop"
    ):
        cases.discover()


def test_a_feature_without_cases_is_refused(folder: Path) -> None:
    (folder / "emptyfeature.py").write_text("CASES = None\n")
    with pytest.raises(ValueError, match=r"cases/emptyfeature\.py needs CASES"):
        cases.discover()


def test_cases_have_all_the_page_shows() -> None:
    for found in cases.discover().values():
        for case in found:
            assert case.name
            assert case.title
            assert case.why.endswith(".")
            assert case.text()
            assert not case.text().startswith(" ")


def test_the_text_of_a_function_is_its_source() -> None:
    case = next(c for c in cases.discover()["setop"] if c.name == "except-csv")
    assert "ds3.subtract(ds2)" in case.text()
    assert Case("a", "b", "c", "\n    SELECT 1\n      + 1\n").text() == "SELECT 1\n  + 1"
