"""A progress bar of one line on a terminal, or plain lines elsewhere."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

WIDTH = 24


def unicode_ok(stream: TextIO) -> bool:
    """Whether the stream can show the few non-ASCII characters that the demo uses."""
    try:
        "→━".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


class Progress:
    """Shows ``total`` steps on ``stream``; each part of the work has a label."""

    def __init__(self, total: int, stream: TextIO) -> None:
        """Starts the clock; nothing is shown before the first part begins."""
        self.total = total
        self.stream = stream
        self.done = 0
        self.label = ""
        self.started = time.monotonic()
        self.terminal = stream.isatty()
        self.full, self.empty = ("━", "─") if unicode_ok(stream) else ("#", "-")

    def begin(self, label: str) -> None:
        """Starts a new part of the work; without a terminal, prints its only line."""
        self.label = label
        if self.terminal:
            self._draw("")
        else:
            self.say(f"[{self._percent():3d}%] {label}")

    def step(self, detail: str = "") -> None:
        """Counts a step that is done; ``detail`` describes it."""
        self.done += 1
        if self.terminal:
            self._draw(detail)

    def skip(self, steps: int) -> None:
        """Counts steps that will not run, for example after an error."""
        self.done += steps

    def say(self, text: str) -> None:
        """Prints a line that stays."""
        self.clear()
        self.stream.write(text + "\n")
        self.stream.flush()

    def clear(self) -> None:
        """Removes the bar."""
        if self.terminal:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _percent(self) -> int:
        return min(100, 100 * self.done // max(1, self.total))

    def _draw(self, detail: str) -> None:
        filled = WIDTH * self._percent() // 100
        bar = self.full * filled + self.empty * (WIDTH - filled)
        minutes, seconds = divmod(int(time.monotonic() - self.started), 60)
        text = f"{bar} {self._percent():3d}%  {minutes}:{seconds:02d}  {self.label}  {detail}"
        # One column short of the edge: a full line would wrap on some terminals.
        width = shutil.get_terminal_size().columns - 1
        self.stream.write("\r\x1b[K" + text.rstrip()[:width])
        self.stream.flush()
