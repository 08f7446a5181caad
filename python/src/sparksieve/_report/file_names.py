# SPDX-License-Identifier: Apache-2.0
"""Short names for the files in the texts of a report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sparksieve._report.report import Report

_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:(?://)?")
# Only texts of these forms are known to be paths: a constant such as '/index/home' may be a value.
_IN_FILE = re.compile(r"\bin_file\([^']*, '([^']*/[^']*)'")
_CUT = re.compile(r"(\bin_file\([^']*, ')[^']*…$")
_VALUES_OF = re.compile(r"= .*? in ([^;\[]*/[^;\[]*)\[")
_FILE_AND_COLUMN = re.compile(r"(.*/.*)\[[^\]]*\]")


class FileNames:
    """Replaces the paths in a report's texts by their last parts, as many as tell them apart."""

    def __init__(self, report: Report) -> None:
        self._names = _shortest({_SCHEME.sub("", path, count=1) for path in _paths(report)})
        # A longer path first: one may be the beginning of another.
        paths = "|".join(re.escape(path) for path in sorted(self._names, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w/])(?:{_SCHEME.pattern})?({paths})(?![\w/-]|\.\w)")

    def short(self, text: str) -> str:
        """`text` with short names instead of paths."""
        return "".join(shown for shown, _ in self.pieces(text))

    def pieces(self, text: str) -> Iterator[tuple[str, str | None]]:
        """The pieces of `text`: each short name with its path, all other text with `None`."""
        # The start of a path, where Sieve has cut a long predicate, names no file.
        text, end = _CUT.sub(r"\1…", text), 0
        if self._names:
            for found in self._pattern.finditer(text):
                yield text[end : found.start()], None
                yield self._names[found.group(1)], found.group()
                end = found.end()
        yield text[end:], None


def _paths(report: Report) -> Iterator[str]:
    for scan in report.scans:
        for path in scan.place.split(", "):
            yield path.rstrip("/")
        for one in scan.predicates:
            yield from _IN_FILE.findall(one.predicate)
    for row in report.rows:
        yield from _IN_FILE.findall(row.detail)
        if row.feature == "bulkfilter":
            yield from _VALUES_OF.findall(row.detail)
            yield from _FILE_AND_COLUMN.findall(row.place)


def _shortest(paths: set[str]) -> dict[str, str]:
    """For each path that has a folder, its shortest end that no other path has."""
    names = {}
    for path in paths:
        parts = path.split("/")
        for count in range(1, len(parts)):
            name = "/".join(parts[-count:])
            if not any(other != path and f"/{other}".endswith(f"/{name}") for other in paths):
                break
        else:
            name = path
        if name and "/" in path:
            names[path] = name
    return names
