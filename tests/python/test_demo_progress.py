"""The progress bar, on a terminal and elsewhere."""

from __future__ import annotations

import io

from sparksieve.demo.progress import Progress, unicode_ok


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_plain_lines_elsewhere() -> None:
    stream = io.StringIO()
    progress = Progress(4, stream)
    progress.begin("one")
    progress.step("detail")
    progress.begin("two")
    progress.skip(3)
    progress.say("done")
    progress.clear()
    assert stream.getvalue() == "[  0%] one\n[ 25%] two\ndone\n"


def test_one_line_on_a_terminal() -> None:
    stream = Terminal()
    progress = Progress(2, stream)
    progress.begin("one")
    progress.step("run 1 of 2")
    last = stream.getvalue().rsplit("\r\x1b[K", 1)[1]
    assert " 50%" in last
    assert "one" in last
    assert "run 1 of 2" in last
    assert "\n" not in stream.getvalue()
    progress.say("a line")
    assert stream.getvalue().endswith("\r\x1b[Ka line\n")


def test_streams_that_cannot_show_more_than_ascii() -> None:
    assert unicode_ok(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert not unicode_ok(io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
