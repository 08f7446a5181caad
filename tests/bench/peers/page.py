# SPDX-License-Identifier: Apache-2.0
"""Writes `docs/peers.md` from the reports in `docs/figures`, and draws their plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figures import AGAIN, BASE, Cell, Report, Summary
from .tables import LAYOUTS
from .texts import DIALECTS

SUITES = {"tpch": "TPC-H", "tpcds": "TPC-DS"}

LABELS = {
    "spark": "Spark",
    "spark-again": "Spark, again",
    "bloom": "Spark, Bloom filters forced",
    "sieve": "Spark + Sieve",
    "comet": "Spark + Comet",
    "comet-sieve": "Spark + Comet + Sieve",
    "duckdb": "DuckDB",
    "datafusion": "DataFusion",
}

# A query counts as faster from this ratio on, and as slower below the other.
FASTER, SLOWER = 1.25, 0.8

TEMPLATE = Path(__file__).with_name("page.md")

# The most characters of an error or of other rows on the page.
EXCERPT = 120


def draw(docs: Path) -> None:
    """Draws the plots, and writes the page."""
    from . import plots

    reports = load(docs / "figures")
    for name, report in reports.items():
        plots.sums(report, LABELS, docs / "figures" / f"{name}-sums.svg")
        plots.ratios(report, LABELS, docs / "figures" / f"{name}-ratios.svg")
    page = docs / "peers.md"
    page.write_text(text(reports), encoding="utf-8")
    print(f"wrote {page} and {2 * len(reports)} plots")


def load(folder: Path) -> dict[str, Report]:
    """The reports by name: TPC-H first, large scales first, sorted before unsorted."""
    found = {
        path.stem: Report(json.loads(path.read_text(encoding="utf-8")))
        for path in folder.glob("peers-*.json")
    }

    def place(name: str) -> Any:
        report = found[name].found
        return (
            list(SUITES).index(report["suite"]),
            -report["scale"],
            list(LAYOUTS).index(report["layout"]),
        )

    return {name: found[name] for name in sorted(found, key=place)}


def text(reports: dict[str, Report]) -> str:
    """The page."""
    if not reports:
        raise SystemExit("There is no peers-*.json in docs/figures.")
    first = next(iter(reports.values()))
    settings = first.found["settings"]
    versions: dict[str, str] = {}
    for report in reports.values():
        versions.update(report.found["versions"])
    return TEMPLATE.read_text(encoding="utf-8").format(
        overview=overview(reports),
        sections="\n".join(section(n, r) for n, r in reports.items()),
        versions=", ".join(f"{name} {version}" for name, version in versions.items()),
        cores=settings["cores"],
        memory=settings["memory_gb"],
        threads=settings["threads"],
        **DIALECTS,
    )


def title(report: Report) -> str:
    """The heading of a section."""
    found = report.found
    return f"{SUITES[found['suite']]} SF{found['scale']:g}, {found['about']}"


def overview(reports: dict[str, Report]) -> str:
    """How much faster than Spark each engine is, by section."""
    shown = [e for e in LABELS if e != BASE and any(e in r.measured() for r in reports.values())]
    lines = [
        "## At a glance",
        "",
        "Spark's seconds divided by the engine's, geometric mean over the queries: wall seconds,",
        "and CPU seconds. Above 1 the engine is faster than Spark. Wall seconds are left out",
        "where other programs disturbed them.",
        "",
        "| | " + " | ".join(title(r) for r in reports.values()) + " |",
        "|---|" + "---|" * len(reports),
    ]
    for engine in shown:
        cells = []
        for report in reports.values():
            if engine in report.measured():
                found = report.summary(engine, report.common())
                wall = f"{times(found.ratio)} wall, " if report.calm else ""
                cells.append(f"{wall}{times(found.cpu_ratio)} CPU")
            else:
                cells.append("–")
        lines.append(f"| {LABELS[engine]} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def section(name: str, report: Report) -> str:
    """The section of a report."""
    queries = report.common()
    engines = report.measured()
    lines = [f"## {title(report)}", ""]
    lines += [f"[Raw figures](figures/{name}.json). {runs(report)}", ""]
    lines += [f"![Sums of seconds](figures/{name}-sums.svg)", ""]
    lines += [
        f"Over {len(queries)} queries:",
        "",
        "| engine | wall s | CPU s | Spark / engine | CPU, Spark / engine | read | scanned "
        "| rows scanned | rows equal, close, other | not run |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *(line(report, engine, report.summary(engine, queries)) for engine in engines),
        "",
        *wins(report),
        "",
        f"![Ratios by query](figures/{name}-ratios.svg)",
        "",
        *exceptions(report),
        "### Each query: " + title(report)[0].upper() + title(report)[1:],
        "",
        "Wall seconds / CPU seconds, medians.",
        "",
        "| query | " + " | ".join(LABELS[e] for e in engines) + " |",
        "|---|" + "---|" * len(engines),
        *(
            f"| {query} | " + " | ".join(cell(report.cell(query, e)) for e in engines) + " |"
            for query in report.queries
        ),
        "",
    ]
    return "\n".join(lines)


def runs(report: Report) -> str:
    """How often queries ran, and how calm the machine was."""
    settings = report.found["settings"]
    number = report.rounds()
    rounds = f"{number} round{'s' if number != 1 else ''}"
    warm = "" if settings["warm"] else ", no run of a query before it is timed"
    if settings.get("once"):
        warm += "; rows are compared, and reads counted, in the same run"
    size = sum(table["bytes"] for table in report.found["tables"].values())
    sentence = f"{rounds}{warm}; {amount(size)} of files."
    disturbed, of = report.disturbed()
    if not report.calm:
        sentence += (
            " **Preliminary:** other programs kept more than a quarter of a core busy during "
            f"{disturbed} of {of} runs. Wall seconds are too long and uneven, so engines are "
            "compared by CPU seconds, which are less affected."
        )
    elif disturbed:
        sentence += f" Other programs disturbed {disturbed} of {of} runs."
    # What a reader must know of how the report came about, written into it by hand.
    note = report.found.get("note")
    return f"{sentence} {note}" if note else sentence


def line(report: Report, engine: str, found: Summary) -> str:
    """The line of an engine in the table of a section."""
    verdicts = [report.raw(q, engine).get("compared") for q in report.queries]
    compared = (
        "–"
        if engine in (BASE, AGAIN)
        else ", ".join(str(verdicts.count(v)) for v in ("equal", "close", "other"))
    )
    failed = len(report.where(engine, lambda raw: "error" in raw))
    cells = [
        LABELS[engine],
        seconds(found.wall),
        seconds(found.cpu),
        times(found.ratio) if report.calm else "–",
        times(found.cpu_ratio),
        amount(found.read_bytes),
        "–" if not found.input_bytes else amount(found.input_bytes),
        "–" if not found.input_rows else f"{found.input_rows / 1e6:,.1f} M",
        compared,
        str(failed),
    ]
    return "| " + " | ".join(cells) + " |"


def wins(report: Report) -> list[str]:
    """Sentences about who is faster where, from the figures alone."""
    engines = report.measured()
    low, high = report.noise()
    lines = [f"By {report.clock} seconds:", ""]
    if AGAIN in engines:
        lines.append(
            f"- Noise: Spark against Spark gives {times(low)} to {times(high)} for four of five "
            "queries."
        )
    others = [e for e in engines if e not in (BASE, AGAIN)]
    for engine in others:
        ratios = report.ratios(engine)
        faster = [q for q in ratios if ratios[q] >= FASTER]
        slower = [q for q in ratios if ratios[q] <= SLOWER]
        ranked = sorted(ratios, key=lambda q: -ratios[q])
        best, worst = ranked[0], ranked[-1]
        lines.append(
            f"- {LABELS[engine]}: {len(faster)} of {len(ratios)} queries are {FASTER}x or faster, "
            f"{len(slower)} are {SLOWER}x or slower. Best {best} {times(ratios[best])}, "
            f"worst {worst} {times(ratios[worst])}."
        )
    for group, members in (
        (
            "Among the Spark engines",
            [e for e in engines if e not in ("duckdb", "datafusion", AGAIN)],
        ),
        ("Among all", [e for e in engines if e != AGAIN]),
    ):
        if len(members) > 1:
            found = {e: n for e, n in report.fastest(members).items() if n}
            ranked = sorted(found, key=lambda e: -found[e])
            lines.append(
                f"- {group}, the fastest was "
                + ", ".join(f"{LABELS[e]} {found[e]} times" for e in ranked)
                + "."
            )
    return lines


def exceptions(report: Report) -> list[str]:
    """What was not run, and which rows are other than Spark's."""
    lines = []
    for engine in report.engines:
        for query in report.queries:
            raw = report.raw(query, engine)
            label = f"- {LABELS[engine]}, {query}"
            if "error" in raw:
                lines.append(f"{label}: not run. `{code(raw['error'])}`")
            elif raw.get("compared") == "other":
                lines.append(f"{label}: other rows than Spark's, `{code(raw['differs'])}`")
    return (
        ["Not run, or other rows:", "", *lines, ""]
        if lines
        else ["All engines ran every query.", ""]
    )


def code(words: str) -> str:
    """An excerpt for a span of code."""
    words = " ".join(words.replace("`", "'").split())
    return words if len(words) <= EXCERPT else words[:EXCERPT].rstrip() + " …"


def cell(found: Cell | None) -> str:
    """Wall and processor seconds."""
    return "–" if found is None else f"{seconds(found.wall)} / {seconds(found.cpu)}"


def seconds(value: float) -> str:
    """Seconds with three digits or so."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:.0f}x" if value >= 10 else (f"{value:.1f}x" if value >= 2 else f"{value:.2f}x")


def amount(value: int) -> str:
    """Bytes, in GB or MB."""
    return f"{value / 1e9:,.1f} GB" if value >= 1e9 else f"{value / 1e6:,.0f} MB"
