"""The demo's program: options, session, data, cases, table and page."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence

from sparksieve.demo import data, html, options, runner, session, table
from sparksieve.demo.errors import DemoError
from sparksieve.demo.progress import Progress, unicode_ok


def main(argv: Sequence[str]) -> int:
    """Runs the demo with the arguments ``argv``.

    :returns: 0 when the rows are equal in every case, 1 when they differ or a query failed,
        2 when the demo could not run, 130 when it was interrupted.
    :raises SystemExit: after ``--help`` (0) and wrong options (2), as argparse does.
    """
    chosen = options.parse(argv)
    if chosen is None:
        return 0
    try:
        return _run(chosen)
    except (DemoError, OSError) as error:
        # An OSError names the file: a cache that cannot be written, a disk that is full.
        print(f"sparksieve demo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nsparksieve demo: interrupted", file=sys.stderr)
        return 130


def _run(chosen: options.Options) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Reports and errors may contain characters that an old console cannot show.
        sys.stdout.reconfigure(errors="replace")
    cases = [(feature, case) for feature, found in chosen.features.items() for case in found]
    progress = Progress(1 + data.STEPS + len(cases) * runner.steps(chosen.runs), sys.stderr)
    progress.begin("starting Spark")
    log = chosen.out.with_suffix(".log")
    spark = session.start(chosen.master, log)
    try:
        progress.step()
        tables = data.prepare(spark, chosen, progress)
        told = html.describe_data(tables, chosen)
        progress.say(f"Data: {told}")
        settings = {**session.describe(spark), "Data": told, "Timed runs": str(chosen.runs)}
        outcomes = []
        for feature, case in cases:
            outcomes.append(runner.run(spark, tables, feature, case, chosen.runs, progress))
            progress.say(table.line(outcomes[-1]))
    finally:
        # A JVM that has died cannot be stopped; its failed queries are reported below.
        with contextlib.suppress(Exception):
            spark.stop()
    progress.clear()
    print(table.terminal(outcomes, unicode_ok(sys.stdout)))
    print(f"\n{table.summary(outcomes)}")
    chosen.out.write_text(html.page(outcomes, settings), encoding="utf-8")
    print(f"Page: {chosen.out.absolute()}")
    print(f"Spark's own messages: {log.absolute()}")
    return 0 if all(outcome.ok for outcome in outcomes) else 1
