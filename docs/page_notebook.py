# SPDX-License-Identifier: Apache-2.0
"""The notebook as a page: its texts, its code, and the outputs that it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).with_name("notebook.ipynb")


def notebook_page() -> str:
    """The Markdown of the page.

    :raises ValueError: an output has no form that the page can show.
    """
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        else:
            parts.append(f"```python\n{text}\n```")
            parts += [_output(one) for one in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        # A line without text would end the block of HTML.
        lines = "".join(data["text/html"]).splitlines()
        inside = "\n".join(line for line in lines if line.strip())
        return f'<div class="notebook-output">{inside}</div>'
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        return f'<p><img alt="The plot of the cell" src="data:image/png;base64,{picture}"></p>'
    text = "".join(data.get("text/plain", output.get("text", ""))).rstrip()
    if not text:
        raise ValueError(f"notebook.ipynb: an output has only {', '.join(data) or 'no text'}")
    return f"```text\n{text}\n```"
