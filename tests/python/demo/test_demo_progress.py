# SPDX-License-Identifier: Apache-2.0
"""The progress bar, on a terminal and elsewhere."""

from __future__ import annotations

import io
from contextlib import closing

import pytest
from demo_samples import Terminal

from sparksieve.demo.progress import Progress

ERASE = "\r\x1b[2K"


def test_plain_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    # A log stays plain, also where these variables ask for colours.
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "10")
    stream = io.StringIO()
    with closing(Progress(4, stream)) as progress:
        progress.begin("one")
        progress.step("detail")
        progress.begin("two")
        progress.skip(3)
        progress.say("done, and a text that is longer than ten columns")
        assert progress.done == 4
    last = "done, and a text that is longer than ten columns"
    assert stream.getvalue() == f"[  0%] one\n[ 25%] two\n{last}\n"


def test_one_line_on_a_terminal() -> None:
    stream = Terminal()
    with closing(Progress(2, stream)) as progress:
        progress.begin("one")
        progress.step("run 1 of 2")
        last = stream.getvalue().rsplit(ERASE, 1)[1]
        for part in ("━", " 50%", "0:00:0", "one", "run 1 of 2"):
            assert part in last
        assert "\n" not in stream.getvalue()
        progress.say("a line")
        # The line takes the place of the bar, which moves below it.
        line, bar = stream.getvalue().rsplit(ERASE, 1)[1].split("\n")
        assert line == "a line"
        assert " 50%" in bar
    # In the end the bar is erased, and the cursor is shown again.
    assert stream.getvalue().endswith("\n\x1b[?25h\r\x1b[1A\x1b[2K")


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_a_narrow_terminal_cuts_the_label_first(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = Terminal()
    progress = Progress(2, stream)
    progress.begin("a label " * 20)
    progress.step("a detail")
    last = stream.getvalue().rsplit(ERASE, 1)[1]
    assert "50%" in last
    assert "…" not in last
    assert "\n" not in stream.getvalue()


def test_labels_are_no_markup() -> None:
    stream = Terminal()
    progress = Progress(2, stream)
    progress.begin("[red]a[/red] :smile:")
    progress.step("array[0] [/]")
    progress.say("[bold]b[/] :smile: 1")
    for part in ("[red]a[/red] :smile:  array[0] [/]", f"{ERASE}[bold]b[/] :smile: 1\n"):
        assert part in stream.getvalue()


def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    with closing(Progress(2, stream)) as progress:
        progress.begin("one")
        progress.step("detail")
        progress.say("done")
    assert stream.getvalue() == "[  0%] one\ndone\n"


@pytest.mark.parametrize(("encoding", "full"), [("utf-8", "━"), ("ascii", "-")])
def test_streams_that_cannot_show_more_than_ascii(encoding: str, full: str) -> None:
    stream = Terminal(encoding)
    with closing(Progress(2, stream)) as progress:
        progress.begin("one")
        progress.step("detail")
    # Anything else would have failed in the strict stream.
    assert full * 5 in stream.getvalue()
