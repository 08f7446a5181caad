# SPDX-License-Identifier: Apache-2.0
"""The contents of the installed package."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import sparksieve


def test_it_pulls_in_nothing_by_force() -> None:
    requirements = metadata.requires("sparksieve") or []
    assert requirements
    assert all("extra ==" in requirement for requirement in requirements)
    assert any(requirement.startswith("pyspark") for requirement in requirements)


def test_what_the_demo_needs_is_an_extra() -> None:
    requirements = metadata.requires("sparksieve") or []
    for name in ("jinja2", "rich"):
        assert any(r.startswith(name) and r.endswith("extra == 'demo'") for r in requirements)


def test_its_metadata() -> None:
    facts = metadata.metadata("sparksieve")
    assert facts["Version"] == sparksieve.__version__
    assert facts["License-Expression"] == "Apache-2.0"
    assert facts["Requires-Python"] == ">=3.9"


def test_it_is_typed_and_lists_its_configs() -> None:
    package = Path(sparksieve.__file__).parent
    assert (package / "py.typed").is_file()
    assert (package / "configs.json").is_file()


def test_it_has_the_files_of_the_demos_page() -> None:
    templates = Path(sparksieve.__file__).parent / "demo" / "templates"
    assert {file.name for file in templates.iterdir()} == {"page.html.jinja", "page.css"}


def test_every_public_name_is_there_and_documented() -> None:
    for name in sparksieve.__all__:
        assert getattr(sparksieve, name) is not None
        if name != "__version__":
            assert getattr(sparksieve, name).__doc__


def test_importing_it_does_not_import_pyspark() -> None:
    code = "import sys, sparksieve; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
