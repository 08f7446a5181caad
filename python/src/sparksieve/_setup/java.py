# SPDX-License-Identifier: Apache-2.0
"""The Java that Spark's launcher would run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from sparksieve.errors import JavaNotFoundError

#: Seconds after which a Java that does not print its version counts as broken.
_TIMEOUT = 30

INSTALL_HINT = (
    "Install a JDK or JRE 17 (Debian/Ubuntu: apt install openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17) and set JAVA_HOME or PATH to it."
)


def oldest_java(line: str | None) -> int:
    """The oldest Java major version that a Spark line runs on (`None`: line unknown)."""
    return 8 if line == "3.5" else 17


def java_tested(line: str | None, major: int) -> bool:
    """Whether Spark's documentation names this Java for the line."""
    return major in (8, 11, 17) if line == "3.5" else major >= 17


def find_java() -> str:
    """The path of the `java` that Spark's scripts start: from JAVA_HOME, or else from PATH.

    Raises `JavaNotFoundError` when there is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        for name in ("java", "java.exe"):
            candidate = Path(home) / "bin" / name
            if candidate.is_file():
                return str(candidate)
        raise JavaNotFoundError(
            f"JAVA_HOME={home} has no bin/java, and Spark looks nowhere else when JAVA_HOME is "
            f"set. Correct or unset JAVA_HOME. {INSTALL_HINT}"
        )
    found = shutil.which("java")
    if found is None:
        raise JavaNotFoundError(
            f"There is no java: JAVA_HOME is not set and PATH has none. {INSTALL_HINT}"
        )
    return found


def java_major(java: str) -> int:
    """The major version (8, 11, 17, …) of the `java` at this path.

    Raises `JavaNotFoundError` when it does not start or prints no version.
    """
    try:
        run = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as broken:
        raise JavaNotFoundError(f"{java} does not run: {broken}. {INSTALL_HINT}") from broken
    text = run.stderr + run.stdout
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    if run.returncode != 0 or not found:
        first = text.strip().splitlines()[:1]
        raise JavaNotFoundError(
            f"{java} -version failed: {first[0] if first else 'no output'}. {INSTALL_HINT}"
        )
    return int(found.group(1))


def require_java(line: str | None) -> tuple[str, int]:
    """Path and major version of the Java that a Spark of this line would use.

    Raises `JavaNotFoundError` when it is missing or too old.
    """
    java = find_java()
    major = java_major(java)
    oldest = oldest_java(line)
    if major < oldest:
        raise JavaNotFoundError(
            f"{java} is Java {major}, but Spark {line or ''} needs Java {oldest} or newer. "
            f"{INSTALL_HINT}".replace("  ", " ")
        )
    return java, major
