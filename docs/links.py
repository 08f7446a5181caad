# SPDX-License-Identifier: Apache-2.0
"""Checks every external link of the documentation: `python docs/links.py`, which needs network.

The exit code is 1 if a page is gone. A host that cannot be reached is named, and is no failure.
"""

from __future__ import annotations

import re
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"https?://[^\s)>\"'`]+")


def links() -> dict[str, list[str]]:
    """Each link with the files that have it."""
    found: dict[str, list[str]] = {}
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "python" / "pyproject.toml"]
    for page in sorted(pages):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            found.setdefault(link.rstrip(".,;"), []).append(str(page.relative_to(ROOT)))
    return found


def problem(link: str) -> str | None:
    """Why a page could not be read; None if it could."""
    agent = {"User-Agent": "Mozilla/5.0 (link check)"}
    request = urllib.request.Request(link, headers=agent)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=20):  # noqa: S310
            return None
    except urllib.error.HTTPError as error:
        return f"gone ({error.code})" if error.code in (404, 410) else f"status {error.code}"
    except (OSError, ValueError) as error:
        return f"not reached: {error}"


def main() -> int:
    """Prints what is wrong with each link; returns the exit code."""
    gone = 0
    for link, pages in links().items():
        wrong = problem(link)
        gone += bool(wrong and wrong.startswith("gone"))
        print(f"{wrong or 'fine'}: {link} in {', '.join(sorted(set(pages)))}", flush=True)
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
