# SPDX-License-Identifier: Apache-2.0
"""The errors that a user of the demo can see."""

from __future__ import annotations


class DemoError(Exception):
    """An error that the user can fix; the message says what is wrong and how to fix it."""


class FlightsError(DemoError):
    """The flights package could not be fetched or read; generated data can replace it."""
