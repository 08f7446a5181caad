"""The generated parts of the documentation site, as hooks of mkdocs; nothing of them is committed.

A page has a marker where a part belongs:

    <!-- configs: spark.sieve.setop -->   the configs with this prefix, from configs.json
    <!-- coordinates -->                  the Maven coordinates of each Spark line
    <!-- lines -->                        the Spark lines, and how each is tested

On the page of reasons, the sentences of `Reason.scala` and `NotPushedReason.scala` follow the
headings with their codes. The build fails if a code has no heading, or a heading no code.

The documents in the repository's root become pages. Comments for `tests/python/test_docs.py` are
removed.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "scala-src" / "main" / "scala" / "io" / "sparksieve" / "report" / "core"
REASONS_PAGE = "why-not-pushed.md"

# The documents of the repository's root that are pages too.
DOCUMENTS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SOUNDNESS.md")

TEST_COMMENT = re.compile(r"<!-- (?:set-up|not run)\b.*?-->\n?", re.DOTALL)
MARKER = re.compile(r"^<!-- (configs: \S+|coordinates|lines) -->$", re.MULTILINE)
CONFIG_CELL = re.compile(r"^\| `(spark\.sieve\.[^`]+)`", re.MULTILINE)
HEADING = re.compile(r"^### ([a-z0-9-]+)$", re.MULTILINE)


class Reason(NamedTuple):
    """A reason code, its sentence, and what to do if the source says it."""

    code: str
    meaning: str
    remedy: str | None


class Line(NamedTuple):
    """A Spark line of `project/SparkVersions.scala`."""

    id: str
    spark: str
    scala: str
    java: int
    from_maven: bool
    lake: str
    full: bool

    @property
    def minor(self) -> str:
        """`3.5` of `3.5.9`."""
        return ".".join(self.spark.split(".")[:2])

    @property
    def scala_binary(self) -> str:
        """`2.13` of `2.13.18`."""
        return ".".join(self.scala.split(".")[:2])


# --- what mkdocs calls -------------------------------------------------------------------------


def on_files(files: Any, config: Any) -> Any:
    """Adds the documents of the repository's root."""
    from mkdocs.structure.files import File

    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page_of(name), content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Replaces the markers of a page."""
    from mkdocs.exceptions import PluginError

    try:
        return rendered(markdown, page.file.src_uri)
    except ValueError as wrong:
        raise PluginError(f"{page.file.src_uri}: {wrong}") from None


def rendered(markdown: str, uri: str) -> str:
    """The Markdown of a page with its generated parts.

    :raises ValueError: a marker or a source is not as expected.
    """
    text = TEST_COMMENT.sub("", markdown)
    text = MARKER.sub(lambda found: part(found[1]), text)
    text = CONFIG_CELL.sub(lambda found: breakable(found[1]), text)
    if uri == REASONS_PAGE:
        text = with_reasons(text)
    return with_links(text, uri)


def breakable(key: str) -> str:
    """The cell of a config, whose name may break at its dots."""
    return f"| <code>{key.replace('.', '.<wbr>')}</code>"


def part(name: str) -> str:
    """The part that a marker names."""
    if name == "coordinates":
        return coordinates()
    return lines_table() if name == "lines" else configs_table(name.removeprefix("configs: "))


# --- configs -----------------------------------------------------------------------------------


def configs() -> list[dict[str, str]]:
    """The configs, in their order."""
    path = ROOT / "python" / "src" / "sparksieve" / "configs.json"
    found: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def configs_table(prefix: str) -> str:
    """The table of the configs with a prefix."""
    rows = [
        f"| `{c['key']}` | `{c['default']}` | {c['doc']} |"
        for c in configs()
        if c["key"].startswith(prefix + ".")
    ]
    if not rows:
        raise ValueError(f"no config begins with {prefix}.")
    return "\n".join(["| config | default | what it does |", "|---|---|---|", *rows])


# --- Spark lines -------------------------------------------------------------------------------

LINE = re.compile(
    r'SparkLine\("([^"]+)", "([^"]+)", "([^"]+)", (\d+), (FromMaven|FromPyspark)'
    r"(?:\([^)]*\))?(?:, Seq\((\w+)\))?(, full = true)?\)"
)
LAKE = re.compile(r'private val (\w+) = "[^"]+" %% "[^"]+" % "([^"]+)"')


def lines() -> list[Line]:
    """The Spark lines, oldest first."""
    text = (ROOT / "project" / "SparkVersions.scala").read_text(encoding="utf-8")
    lakes = {name: f"{name.capitalize()} {version}" for name, version in LAKE.findall(text)}
    found = [
        Line(id_, spark, scala, int(java), jars == "FromMaven", lakes.get(lake, ""), bool(full))
        for id_, spark, scala, java, jars, lake, full in LINE.findall(text)
    ]
    written = text.count('SparkLine("')
    if len(found) != written:
        raise ValueError(f"{len(found)} of {written} lines of SparkVersions.scala were read")
    return found


def version() -> str:
    """Sieve's version."""
    text = (ROOT / "python" / "src" / "sparksieve" / "_version.py").read_text(encoding="utf-8")
    return re.findall(r'__version__ = "([^"]+)"', text)[0]


def coordinates() -> str:
    """The table of Maven coordinates."""
    rows = [
        f"| {line.minor} | {line.scala_binary} | "
        f"`io.sparksieve:sparksieve-spark-{line.minor}_{line.scala_binary}:{version()}` |"
        for line in lines()
    ]
    return "\n".join(["| Spark | Scala | coordinates |", "|---|---|---|", *rows])


def lines_table() -> str:
    """The table of Spark lines with what is tested on each."""
    head = [
        "| Spark | Scala | Java class library | table formats | suites |",
        "|---|---|---|---|---|",
    ]
    rows = [
        f"| {line.spark} | {line.scala} | {line.java} | {line.lake or '–'} | {suites(line)} |"
        for line in lines()
    ]
    return "\n".join(head + rows)


def suites(line: Line) -> str:
    """Which suites run on a line."""
    if line.minor == "4.2":
        return "all, at every change"
    if line.full:
        return "all: one half at a commit, the other half at the next"
    return "the smoke suites of every feature"


# --- reasons -----------------------------------------------------------------------------------

CASE = re.compile(r"case object \w+\s+extends (?:NotPushed)?Reason\(")
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(None)|(,)|(\))')


def reasons(source: str) -> list[Reason]:
    """The reasons of a Scala source, in their order."""
    text = (SOURCES / source).read_text(encoding="utf-8")
    found = []
    for case in CASE.finditer(text):
        parts: list[str | None] = [""]
        for token in TOKEN.finditer(text, case.end()):
            literal, none, comma, end = token.groups()
            if end:
                break
            if comma:
                parts.append("")
            elif none:
                parts[-1] = None
            else:
                parts[-1] = (parts[-1] or "") + literal.replace('\\"', '"')
        code, meaning, *rest = parts
        if not code or not meaning:
            raise ValueError(f"{source}: a reason without code or sentence")
        found.append(Reason(code, meaning, rest[0] if rest else None))
    listed = text[text.index("val all") :].count(",\n") + 1
    if len(found) != listed:
        raise ValueError(f"{source}: {len(found)} of {listed} reasons were read")
    return found


def with_reasons(markdown: str) -> str:
    """The page of reasons with the sentence of each code below its heading."""
    pushed = {reason.code: reason for reason in reasons("NotPushedReason.scala")}
    declined = {reason.code: reason for reason in reasons("Reason.scala")}
    headings = HEADING.findall(markdown)
    codes = {*pushed, *declined}
    for what, names in (
        ("no heading", codes - set(headings)),
        ("no such reason", set(headings) - codes),
        ("two headings", {name for name in headings if headings.count(name) > 1}),
    ):
        if names:
            raise ValueError(f"{what}: {', '.join(sorted(names))}")

    def below(found: re.Match[str]) -> str:
        code = found[1]
        text = [found[0]]
        if code in pushed and code in declined:
            text += [
                f"Of a predicate: {pushed[code].meaning}",
                f"Of a rule: {declined[code].meaning}",
            ]
        else:
            text.append((pushed.get(code) or declined[code]).meaning)
        remedy = pushed[code].remedy if code in pushed else None
        if remedy:
            text.append(f"**What to do.** {remedy}")
        return "\n\n".join(text)

    return HEADING.sub(below, markdown)


# --- links -------------------------------------------------------------------------------------


def page_of(document: str) -> str:
    """The page of a document of the repository's root."""
    return document.lower()


def with_links(markdown: str, uri: str) -> str:
    """Links to documents of the root, as pages and documents write them, as links to pages."""
    here = posixpath.dirname(uri)

    def link(found: re.Match[str]) -> str:
        target = posixpath.relpath(page_of(found[1]), here or ".")
        return f"]({target}{found[2] or ''})"

    names = "|".join(DOCUMENTS)
    text = re.sub(rf"\]\((?:\.\./)*({names})(#[^)]*)?\)", link, markdown)
    # Documents of the root link to pages by their folder.
    return text.replace("](docs/", "](") if uri in map(page_of, DOCUMENTS) else text
