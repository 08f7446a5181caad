# SPDX-License-Identifier: Apache-2.0
"""Consoles of rich that print texts as they are: no markup, no emoji codes, no highlighting."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console

UNLIMITED = 10_000
"""The width where there is no terminal: wide enough for every line of a file or a pipe."""


def console(stream: TextIO) -> Console:
    """A console for ``stream``, with colours and control characters only on a terminal.

    Variables such as ``FORCE_COLOR`` do not make a log a terminal.
    """
    terminal = stream.isatty()
    return Console(
        file=stream,
        force_terminal=terminal,
        force_jupyter=False,
        width=None if terminal else UNLIMITED,
        markup=False,
        emoji=False,
        highlight=False,
    )
