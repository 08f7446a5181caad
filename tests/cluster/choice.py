# SPDX-License-Identifier: Apache-2.0
"""Chooses trials and cases by the words of the command line."""

from __future__ import annotations

from fnmatch import fnmatch

from sparksieve.demo import cases

from . import udfs
from .trials import ONE, TRIALS, UDF, Trial


def words(text: str) -> list[str]:
    """The words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def chosen_trials(text: str) -> list[Trial]:
    """The trials of a list with commas; all of them if it is empty.

    :raises ValueError: an unknown trial.
    """
    wanted = words(text) or list(TRIALS)
    unknown = [name for name in wanted if name not in TRIALS]
    if unknown:
        raise ValueError(f"there is no fault {', '.join(unknown)}: {', '.join(TRIALS)}")
    return [TRIALS[name] for name in wanted]


def chosen_cases(trial: Trial, text: str) -> list[str]:
    """The names of the cases that a trial runs, of those that the list with commas chooses.

    A trial of one case a feature takes the first that is chosen.

    :raises ValueError: a word that is no case, no feature and no pattern of cases.
    """
    wanted = words(text)
    own = [case.name for case in udfs.CASES]
    of_users = [name for name in own if any(fnmatch(name, word) for word in wanted)]
    others = [word for word in wanted if not any(fnmatch(name, word) for name in own)]
    features = cases.discover()
    if others:
        features = cases.select(features, others)
    elif wanted:
        features = {}
    if trial.cases == UDF:
        return of_users if wanted else own
    some = [found[:1] if trial.cases == ONE else found for found in features.values()]
    return [case.name for found in some for case in found]
