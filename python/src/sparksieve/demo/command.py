# SPDX-License-Identifier: Apache-2.0
"""The demo's command: its options, its exit codes, and errors as messages."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sparksieve.demo import options
from sparksieve.demo.errors import DemoError

LACKING = 'sparksieve demo needs rich and jinja2: pip install "sparksieve[demo]"'


def main(argv: Sequence[str]) -> int:
    """Runs the demo with the arguments ``argv``.

    :returns: 0 when the rows are equal in every case, 1 when they differ or a query failed,
        2 when the demo could not run, 130 when it was interrupted.
    :raises SystemExit: after ``--help`` (0) and wrong options (2), as argparse does.
    """
    chosen = options.parse(argv)
    if chosen is None:
        return 0
    try:
        # Imported here, because the manual and the list of cases need no other package.
        from sparksieve.demo import app
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "rich"):
            raise
        print(LACKING, file=sys.stderr)
        return 2
    try:
        return 0 if app.run(chosen) else 1
    except (DemoError, OSError) as error:
        # An OSError names the file: a cache that cannot be written, a disk that is full.
        print(f"sparksieve demo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nsparksieve demo: interrupted", file=sys.stderr)
        return 130
