# SPDX-License-Identifier: Apache-2.0
"""The demo: each optimisation off and on, in one session, on real or generated flights.

``python -m sparksieve demo`` runs it; :func:`main` is the same from Python. A feature adds its
cases by adding one file to ``sparksieve.demo.cases``.
"""

from __future__ import annotations

from sparksieve.demo.command import main

__all__ = ["main"]
