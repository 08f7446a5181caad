# SPDX-License-Identifier: Apache-2.0
"""What processes and the machine have used so far (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Used(NamedTuple):
    """Figures since the start of the processes, or between two such readings.

    `cpu` is processor seconds of the processes, `machine` those of everything on the machine;
    `read` is bytes that the processes' system calls read, from files mostly.
    """

    cpu: float
    machine: float
    read: int

    def since(self, earlier: Used) -> Used:
        """What has been used since an earlier reading."""
        return Used(
            self.cpu - earlier.cpu, self.machine - earlier.machine, self.read - earlier.read
        )


def cpu_seconds(process: int) -> float:
    """The processor time of a process and of its children that have ended, user and system."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICKS


def bytes_read(process: int) -> int:
    """The bytes that a process has read by system calls, cached by the kernel or not."""
    first = Path(f"/proc/{process}/io").read_text().splitlines()[0]
    return int(first.removeprefix("rchar:"))


def machine_seconds() -> float:
    """The processor time that the machine has spent on anything but waiting."""
    user, nice, system, _, _, irq, soft, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + irq + soft) / TICKS


def used(processes: Iterable[int]) -> Used:
    """A reading for these processes."""
    found = list(processes)
    return Used(sum(map(cpu_seconds, found)), machine_seconds(), sum(map(bytes_read, found)))
