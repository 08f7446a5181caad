# SPDX-License-Identifier: Apache-2.0
"""Faults that strike while a query runs.

A fault runs in a thread of its own beside the query. It waits for its moment, strikes, and notes in
its scene what it did. If the query ends first, it runs again with an earlier moment.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from . import processes
from .status import Figures, Found, Status, finished, running

TURNS = 3
"""How often a fault is tried, each time with an earlier moment."""

# Seconds: between two looks at the query, of a frozen executor in the first turn, and until the
# other executor should have ended a task.
LOOK, FROZEN, OTHERS = 0.02, 5.0, 2.0


@dataclass
class Scene:
    """A query under a fault.

    ``first`` is the id of its first job; ``late`` is the number of jobs that must have begun before
    the fault may strike, one less in the last turn. ``struck`` says what happened, and is empty
    until then; ``leaving`` is the executor that will end, if one will.
    """

    workers: tuple[int, ...]
    status: Status
    first: int
    turn: int
    late: int = 0
    ended: threading.Event = field(default_factory=threading.Event)
    struck: str = ""
    leaving: int | None = None

    def until(self, reached: Callable[[Found], bool], seconds: float = 600.0) -> bool:
        """Waits until the active stages of the query are so; False if that never was."""
        deadline = time.monotonic() + seconds
        late = self.late - (self.turn == TURNS - 1)
        while not self.ended.is_set() and time.monotonic() < deadline:
            if len(self.status.jobs(self.first)) >= late and reached(self.status.active()):
                return not self.ended.is_set()
            time.sleep(LOOK)
        return False

    def victim(self) -> int:
        """The executor that the fault strikes; another one in the next turn."""
        return processes.executors(self.workers[self.turn % len(self.workers)])[-1]


def kill(scene: Scene) -> None:
    """Kills an executor; from the second turn on it is frozen before, so that it has work."""
    _in_the_middle(scene, signal.SIGKILL, "killed")


def decommission(scene: Scene) -> None:
    """Tells an executor to leave, as a machine does that is about to be taken away."""
    _in_the_middle(scene, signal.SIGPWR, "decommissioned")


def slow(scene: Scene) -> None:
    """Freezes an executor for some seconds, so that its tasks are slower than the others."""
    victim, seconds = scene.victim(), FROZEN * (scene.turn + 1)
    if scene.turn == 0 and not scene.until(running):
        return
    try:
        processes.send([victim], signal.SIGSTOP)
        if scene.until(running):
            scene.struck = f"executor {victim} stopped for {seconds:g} s"
            scene.ended.wait(seconds)
    finally:
        processes.send([victim], signal.SIGCONT)


def none(scene: Scene) -> None:
    """No fault, or one that executors bring about themselves."""
    scene.struck = "nothing"


def _in_the_middle(scene: Scene, number: signal.Signals, word: str) -> None:
    victim = scene.victim()
    if scene.turn == 0:
        if not scene.until(finished):
            return
    else:
        # In the last turn it is frozen before it can have work.
        if not scene.until(running if scene.turn == 1 else lambda stages: True):
            return
        processes.send([victim], signal.SIGSTOP)
        if not scene.until(running):
            processes.send([victim], signal.SIGCONT)
            return
        scene.until(finished, OTHERS)
    if not scene.ended.is_set():
        scene.struck, scene.leaving = f"executor {victim} {word}", victim
        processes.send([victim], number)
    processes.send([victim], signal.SIGCONT)


@dataclass(frozen=True)
class Fault:
    """A fault: what it does, and whether the figures of the query show it.

    ``late`` makes it wait for the last job of the query. ``retries`` says whether Spark answers
    with further attempts of stages.
    """

    strike: Callable[[Scene], None]
    seen: Callable[[Figures], bool] = lambda figures: True
    late: bool = False
    retries: bool = False

    @property
    def moves(self) -> bool:
        """Whether there are other moments to try."""
        return self.strike is not none


def _lost(figures: Figures) -> bool:
    return figures.failed + figures.attempts > 0


FAULTS: dict[str, Fault] = {
    "none": Fault(none),
    "killed": Fault(kill, _lost, retries=True),
    "killed-late": Fault(kill, _lost, late=True, retries=True),
    "decommissioned": Fault(decommission, retries=True),
    "speculation": Fault(slow, lambda figures: figures.speculative > 0),
    "files": Fault(none, lambda figures: figures.failed > 0),
    "tasks": Fault(none, lambda figures: figures.failed > 0),
    "shuffle": Fault(none, lambda figures: figures.fetches > 0, retries=True),
}
