# SPDX-License-Identifier: Apache-2.0
"""Says what is still missing before `target/release` can be uploaded.

usage: missing.py VERSION LINES ARTIFACT...

LINES is the number of Spark lines, each of which has an artifact.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pom import Pom

ROOT = Path(__file__).resolve().parents[2]
MAVEN = ROOT / "target" / "release" / "maven" / "io" / "sparksieve"


def git(*words: str) -> str:
    """The output of a git command."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()


def missing(version: str, lines: int, artifacts: list[str]) -> Iterator[str]:
    """What is missing, each with the way out."""
    files = [MAVEN / artifact / version / f"{artifact}-{version}.pom" for artifact in artifacts]
    elements = sorted({element for file in files for element in Pom(file).missing()})
    if elements:
        names = ", ".join(f"<{element}>" for element in elements)
        yield (
            f"The POMs lack {names}, which Maven Central requires. Set Homepage and Source in "
            "[project.urls] of python/pyproject.toml."
        )
    if not all(file.with_name(f"{file.name}.asc").exists() for file in files):
        yield (
            "Nothing is signed. Set SIEVE_SIGNING_KEY to the id of a GnuPG key, whose public part "
            "is on a key server."
        )
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", text, re.MULTILINE):
        yield f"CHANGELOG.md has no date: write '## [{version}] - YYYY-MM-DD'."
    if len(artifacts) != lines:
        yield f"Only {len(artifacts)} of {lines} lines are here: run ./sbt release without --line."
    if git("status", "--porcelain"):
        yield "There are changes that are not committed: commit them."
    if f"v{version}" not in git("tag", "--points-at", "HEAD").split():
        yield f"The commit has no tag: git tag -s v{version}."


def main(version: str, lines: str, *artifacts: str) -> None:
    """Prints what is missing."""
    found = list(missing(version, int(lines), list(artifacts)))
    print("Missing for the upload:" if found else "Nothing is missing for the upload.")
    for one in found:
        print(f"- {one}")


if __name__ == "__main__":
    main(*sys.argv[1:])
