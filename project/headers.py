# SPDX-License-Identifier: Apache-2.0
"""The line with the licence at the head of each Scala, Java, Python and shell file.

    python3 project/headers.py           # names the files without it, and fails if there is one
    python3 project/headers.py --write   # adds it to them

Only files that git knows count. The line stands first, or after a line that begins with `#!`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTICE = "SPDX-License-Identifier: Apache-2.0"

#: How a line of comment begins, for each kind of file.
COMMENTS = {
    ".scala": "//",
    ".java": "//",
    ".sbt": "//",
    ".py": "#",
    ".sh": "#",
    "sbt": "#",
    "run": "#",
}


def sources() -> list[tuple[Path, str]]:
    """The files that need the line, each with its line."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    marks = [(path, COMMENTS.get(path.suffix or path.name)) for path in paths]
    return [(path, f"{mark} {NOTICE}\n") for path, mark in marks if mark and path.is_file()]


def split(text: str) -> tuple[str, str]:
    """The line that begins with `#!`, if there is one, and the rest."""
    head, line_end, rest = text.partition("\n")
    return (head + line_end, rest) if head.startswith("#!") else ("", text)


def main(words: list[str]) -> int:
    """Checks or writes, and returns the exit code."""
    without = 0
    for path, line in sources():
        first, rest = split(path.read_text(encoding="utf-8"))
        if rest.startswith(line):
            continue
        without += 1
        if words == ["--write"]:
            path.write_text(first + line + rest, encoding="utf-8")
        else:
            print(f"{path.relative_to(ROOT)} has no licence line")
    if words == ["--write"]:
        print(f"headers.py: added the licence line to {without} files")
        return 0
    if without:
        print("headers.py: run python3 project/headers.py --write")
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
