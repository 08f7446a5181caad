# SPDX-License-Identifier: Apache-2.0
"""Reads a POM, and says what is wrong or missing in it."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

_NAMESPACE = {"": "http://maven.apache.org/POM/4.0.0"}

#: What Maven Central requires besides, and the repository does not know by itself.
ADDRESSES = ("url", "scm/url", "scm/connection", "developers/developer")


class Pom:
    """The POM of a jar."""

    def __init__(self, file: Path) -> None:
        self.name = file.name
        # The file was written by our own build.
        self._project = ElementTree.parse(file).getroot()  # noqa: S314

    def text(self, path: str) -> str:
        """The text of an element, or nothing."""
        return self._project.findtext(path, "", _NAMESPACE).strip()

    def problems(self, artifact: str, version: str) -> Iterator[str]:
        """What is wrong: coordinates, metadata, or a dependency that a user would have to get."""
        expected = {
            "groupId": "io.sparksieve",
            "artifactId": artifact,
            "version": version,
            "packaging": "jar",
            "licenses/license/name": "Apache-2.0",
        }
        for path, value in expected.items():
            if self.text(path) != value:
                yield f"{self.name}: <{path}> is '{self.text(path)}', not '{value}'"
        for path in ("name", "description"):
            if not self.text(path):
                yield f"{self.name} has no <{path}>"
        for dependency in self._project.iterfind("dependencies/dependency", _NAMESPACE):
            scope = dependency.findtext("scope", "compile", _NAMESPACE)
            group = dependency.findtext("groupId", "", _NAMESPACE)
            if (scope, group) != ("provided", "org.apache.spark"):
                yield f"{self.name} has a dependency on {group} in scope {scope}"

    def missing(self) -> list[str]:
        """The elements that Maven Central requires and the POM lacks."""
        return [path for path in ADDRESSES if self._project.find(path, _NAMESPACE) is None]
