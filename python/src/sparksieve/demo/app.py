# SPDX-License-Identifier: Apache-2.0
"""One run of the demo: session, data, cases, table and page."""

from __future__ import annotations

import io
import json
import sys
from contextlib import closing, suppress
from pathlib import Path

from sparksieve.demo import data, figures, page, runner, session, table
from sparksieve.demo.console import console
from sparksieve.demo.options import Options
from sparksieve.demo.progress import Progress
from sparksieve.demo.runner import Outcome


def run(options: Options) -> bool:
    """Runs the chosen cases, and returns whether the rows are equal in every case.

    :raises DemoError: what the user can fix.
    :raises OSError: a file cannot be written.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Reports and errors may contain characters that an old console cannot show.
        sys.stdout.reconfigure(errors="replace")
    outcomes, settings = _measure(options)
    table.show(outcomes, console(sys.stdout))
    print(f"\n{figures.summary(outcomes)}")
    options.out.write_text(page.render(outcomes, settings), encoding="utf-8")
    if options.json:
        text = json.dumps(page.results(outcomes, settings), indent=1, ensure_ascii=False)
        options.json.write_text(f"{text}\n", encoding="utf-8")
    print(f"Page: {options.out.absolute()}")
    print(f"Spark's own messages: {_log(options).absolute()}")
    return all(outcome.ok for outcome in outcomes)


def _measure(options: Options) -> tuple[list[Outcome], dict[str, str]]:
    """The outcomes of the cases, and the settings in which they ran."""
    cases = [(feature, case) for feature, found in options.features.items() for case in found]
    steps = 1 + data.STEPS + len(cases) * runner.steps(options.runs)
    with closing(Progress(steps, sys.stderr)) as progress:
        progress.begin("starting Spark")
        spark = session.start(options.master, _log(options))
        try:
            progress.step()
            tables = data.prepare(spark, options, progress)
            rows = figures.describe_data(tables, options)
            progress.say(f"Data: {rows}")
            timed = str(options.runs)
            settings = {**session.describe(spark), "Data": rows, "Timed runs": timed}
            outcomes = []
            for feature, case in cases:
                outcomes.append(runner.run(spark, tables, feature, case, options.runs, progress))
                progress.say(figures.line(outcomes[-1]))
        finally:
            # A JVM that has died cannot be stopped; its failed queries are reported.
            with suppress(Exception):
                spark.stop()
    return outcomes, settings


def _log(options: Options) -> Path:
    return options.out.with_suffix(".log")
