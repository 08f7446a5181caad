"""The one error a user of the demo gets to see."""

from __future__ import annotations


class DemoError(Exception):
    """Something the user can put right; the message says what is wrong and the way out."""


class FlightsError(DemoError):
    """The flights package could not be fetched or read; generated data can stand in."""
