# SPDX-License-Identifier: Apache-2.0
"""A progress bar of one line on a terminal, or plain lines elsewhere."""

from __future__ import annotations

from typing import TextIO

from rich import progress as bars
from rich.table import Column

from sparksieve.demo.console import console

WIDTH = 24


class Progress:
    """Shows ``total`` steps on ``stream``; each part of the work has a label."""

    def __init__(self, total: int, stream: TextIO) -> None:
        """Starts the clock; nothing is shown before the first part begins."""
        self.total = total
        self.done = 0
        self.console = console(stream)
        self.terminal = self.console.is_terminal and not self.console.is_dumb_terminal
        self.bar = bars.Progress(
            bars.BarColumn(WIDTH),
            bars.TaskProgressColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn(
                "{task.description}  {task.fields[detail]}",
                style="none",
                markup=False,
                # The only column that a narrow terminal cuts.
                table_column=Column(ratio=1, no_wrap=True, overflow="crop"),
            ),
            expand=True,
            console=self.console,
            # Drawn only between the parts: a thread that draws would disturb what is measured,
            # and write to the log while Spark starts with its standard error in it.
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.task = self.bar.add_task("", total=total, detail="")

    def begin(self, label: str) -> None:
        """Starts a new part of the work; without a terminal, prints its only line."""
        if self.terminal:
            self._draw("", label)
            self.bar.start()
        else:
            self.say(f"[{100 * self.done // self.total:3d}%] {label}")

    def step(self, detail: str = "") -> None:
        """Counts a step that is done; ``detail`` describes it."""
        self.done += 1
        self._draw(detail)

    def skip(self, steps: int) -> None:
        """Counts steps that will not run, for example after an error."""
        self.done += steps

    def say(self, text: str) -> None:
        """Prints a line that stays, above the bar."""
        self.console.print(text, soft_wrap=True)

    def close(self) -> None:
        """Removes the bar, and shows the cursor again; needed after an error too."""
        if self.terminal:
            self.bar.stop()

    def _draw(self, detail: str, label: str | None = None) -> None:
        done = self.done
        self.bar.update(self.task, completed=done, description=label, detail=detail, refresh=True)
