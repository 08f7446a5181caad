# SPDX-License-Identifier: Apache-2.0
"""The notebook of the documentation runs, and the outputs in it name no machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sparksieve._setup.install import find_install
from support import ROOT, clean_environment, docs_module

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def outputs(cells: list[Any]) -> str:
    return json.dumps([cell["outputs"] for cell in cells if cell["cell_type"] == "code"])


@pytest.mark.skipif(find_install().line == "3.5", reason="the notebook is for Spark 4")
def test_the_notebook_runs(tmp_path: Path) -> None:
    cells = docs_module("run_notebook").executed(tmp_path, clean_environment()).cells
    shown = outputs(cells)
    for expected in ("Sieve: 1 applied", "computed", "AdaptiveFilter", "sort by id", "image/png"):
        assert expected in shown
    # Each form of output that a run has is one that the committed notebook has.
    committed = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    for now, kept in zip(cells, committed):
        assert now["source"] == "".join(kept["source"])
        if now["cell_type"] == "code":
            there = {kind for out in now["outputs"] for kind in out.get("data", {})}
            for out in kept["outputs"]:
                assert set(out.get("data", {})) <= there


def test_the_outputs_in_the_notebook_name_no_machine() -> None:
    shown = outputs(json.loads(NOTEBOOK.read_text("utf-8"))["cells"])
    assert "sparksieve-report" in shown
    assert "image/png" in shown
    assert not re.search(r"/(tmp|root|home|work|Users)/|stderr", shown)


def test_the_page_shows_every_output() -> None:
    page = docs_module("page_notebook").notebook_page()
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    kept = [out for cell in cells if cell["cell_type"] == "code" for out in cell["outputs"]]
    shown = (
        page.count('class="notebook-output"') + page.count("data:image/png") + page.count("```text")
    )
    assert shown == len(kept) > 5
    for cell in cells:
        assert "".join(cell["source"]) in page
    # An empty line would end the HTML of a report.
    for html in re.findall(r'<div class="notebook-output">.*?(?=\n\n)', page, re.DOTALL):
        assert html.endswith("</div>")
