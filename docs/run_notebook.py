# SPDX-License-Identifier: Apache-2.0
"""Runs `docs/notebook.ipynb` and keeps its outputs in it, without what differs between machines.

    python docs/run_notebook.py

Needs pyspark, sparksieve, matplotlib, nbclient and ipykernel.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")


def executed(folder: Path, environment: dict[str, str] | None = None) -> Any:
    """The notebook with the outputs of a run in `folder`.

    :raises nbclient.exceptions.CellExecutionError: a cell failed.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(**({"env": environment} if environment else {}))
    return notebook


def without_places(notebook: Any, folder: Path) -> Any:
    """The notebook without Spark's messages, the folder of the run and the version of Python."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for out in cell.outputs:
                data = out.get("data", out)
                for kind, text in data.items():
                    if isinstance(text, str):
                        data[kind] = text.replace(str(folder), "/data")
                    # The page shows one form of an output: text beside HTML or a picture is a copy.
                if "text/html" in data or "image/png" in data:
                    data.pop("text/plain", None)
    return notebook


def main() -> None:
    """Runs the notebook and writes it."""
    import nbformat

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        notebook = without_places(executed(place), place)
    # As the notebook is written by hand: two-space indentation would be another file.
    NOTEBOOK.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8")
    print(f"docs/{NOTEBOOK.name} has the outputs of this run.")


if __name__ == "__main__":
    main()
