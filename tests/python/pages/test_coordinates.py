# SPDX-License-Identifier: Apache-2.0
"""Documents, the Python package and the build agree on the Maven coordinates."""

from __future__ import annotations

import re

from sparksieve import __version__
from sparksieve._setup.install import SUPPORTED
from sparksieve._setup.jars import jar_name
from support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COORDINATES = re.compile(r"io\.sparksieve:(sparksieve-spark-[^:\s]+):([\w.]+)")
LINE = re.compile(r'SparkLine\("[^"]+", "(\d+\.\d+)\.\d+", "(\d+\.\d+)\.\d+"')

JARS = {jar_name(line, scala) for line, scalas in SUPPORTED.items() for scala in scalas}


def test_the_build_makes_the_jars_that_the_package_looks_for() -> None:
    lines = LINE.findall((ROOT / "project" / "SparkVersions.scala").read_text(encoding="utf-8"))
    assert {jar_name(line, scala) for line, scala in lines} == JARS


def test_documents_name_published_artifacts_of_this_version() -> None:
    stated = [
        found for page in PAGES for found in COORDINATES.findall(page.read_text(encoding="utf-8"))
    ]
    assert stated
    assert {f"{artifact}-{version}.jar" for artifact, version in stated} <= JARS
    assert {version for _, version in stated} == {__version__}
