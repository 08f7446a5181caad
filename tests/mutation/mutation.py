"""What a mutation is."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """A piece of a source file, what takes its place, and the suites of which one must go red."""

    name: str
    file: str
    before: str
    after: str
    suites: list[str]
