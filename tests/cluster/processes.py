# SPDX-License-Identifier: Apache-2.0
"""Finds and ends processes (Linux, through /proc).

Every process of a run has the run's folder in its environment, so the run can find them all, also
those that started a session of their own.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

MARK = "SIEVE_CLUSTER"
"""The environment variable that all processes of a run have."""

EXECUTOR = "CoarseGrainedExecutorBackend"

# Seconds that processes may take to end by themselves.
PATIENCE = 5.0


def parent_of(stat: str) -> int:
    """The parent's id in the text of `/proc/<id>/stat`, where the name may contain anything."""
    return int(stat.rsplit(")", 1)[1].split()[1])


def children(parent: int) -> list[int]:
    """The ids of the direct children of a process, in ascending order."""
    found = []
    for process in _all():
        with suppress(OSError):
            if parent_of(Path(f"/proc/{process}/stat").read_text()) == parent:
                found.append(process)
    return sorted(found)


def executors(worker: int) -> list[int]:
    """The executors of a standalone worker: those of its children that are."""
    found = []
    for process in children(worker):
        with suppress(OSError):
            if EXECUTOR in Path(f"/proc/{process}/cmdline").read_text():
                found.append(process)
    return found


def marked(mark: str) -> list[int]:
    """The processes whose environment has `mark` as the value of :data:`MARK`."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for process in _all():
        with suppress(OSError):
            if wanted in Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
                found.append(process)
    return found


def alive(process: int) -> bool:
    """Whether the process runs; one that ended and that nobody waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def send(processes: Iterable[int], number: signal.Signals) -> None:
    """Sends a signal to processes; those that have ended meanwhile are no error."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def end(mark: str) -> None:
    """Ends all processes of a run: with SIGTERM, and after some seconds with SIGKILL."""
    found = marked(mark)
    # A stopped process would not see SIGTERM.
    send(found, signal.SIGCONT)
    send(found, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while (found := [p for p in marked(mark) if alive(p)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    # Again and again, because a process that ends may have started another.
    while found:
        send(found, signal.SIGKILL)
        time.sleep(0.1)
        found = [p for p in marked(mark) if alive(p)]


def _all() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]
