# SPDX-License-Identifier: Apache-2.0
"""A Python module in a process of its own, which gets a task and answers with lines of JSON."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


class Child:
    """The process, in a group of its own, so that its JVM can be ended with it.

    :param words: the interpreter and its arguments
    :param task: written to the standard input, as a line of JSON
    :param mark: what a line of the standard output begins with if it is an answer; all other
        output, and the standard error, goes to `log`
    :param folder: the working folder; None for that of this process
    """

    def __init__(
        self,
        words: list[str],
        task: Mapping[str, Any],
        mark: str,
        log: Path,
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> None:
        self._mark = mark
        self.log = log.open("a")
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        assert self.process.stdin is not None  # noqa: S101
        # A process that died at once is reported by `answer`.
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(task) + "\n")
            self.process.stdin.flush()
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None  # noqa: S101
        for line in self.process.stdout:
            if line.startswith(self._mark):
                self._lines.put(line.removeprefix(self._mark))
            else:
                self.log.write(line)
        self._lines.put(None)

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next answer.

        :raises TimeoutError: there is none after these seconds
        :raises EOFError: the process has ended
        """
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            raise EOFError
        found: dict[str, Any] = json.loads(line)
        return found
