# SPDX-License-Identifier: Apache-2.0
"""What a mutation is."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """A piece of a source file, what takes its place, and the suites of which one must go red.

    ``file`` is the name of a file, with the folder above it if several files have the name.
    """

    name: str
    file: str
    before: str
    after: str
    suites: list[str]
