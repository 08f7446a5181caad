# SPDX-License-Identifier: Apache-2.0
"""The documentation: its Python and SQL blocks run, and every reason code is explained.

The blocks of a page run in the order in which they stand, in one namespace with `spark` and
`sparksieve`, in a folder of their own. A comment `<!-- set-up` has code that runs where it stands
and that readers do not see; `<!-- not run: reason -->` before a block leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from pyspark.sql import SparkSession

import sparksieve
from sparksieve._setup.install import find_install
from support import ROOT, docs_module

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

# The blocks show the newest line; what differs between the lines has tests of its own.
NEWEST = pytest.mark.skipif(find_install().line == "3.5", reason="the blocks are for Spark 4")

BLOCK = re.compile(
    r"(?P<skip><!-- not run: [^>]+ -->\n+)?"
    r"(?:<!-- set-up\n(?P<hidden>.*?)-->|^```(?P<language>python|sql)\n(?P<shown>.*?)^```$)",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for block in BLOCK.finditer(text):
        if block["skip"] is None:
            line = text.count("\n", 0, block.start()) + 1
            code = block["hidden"] or block["shown"]
            found.append(Block(line, block["language"] or "python", code))
    return found


def statements(sql: str) -> list[str]:
    """The statements of a block; each ends with a semicolon at the end of a line."""
    code = re.sub(r"\s*--.*$", "", sql, flags=re.MULTILINE)
    return [part.strip() for part in re.split(r";\s*$", code, flags=re.MULTILINE) if part.strip()]


def settings(spark: SparkSession) -> dict[str, str]:
    return {k: v for k, v in spark.conf.getAll.items() if k.startswith("spark.sieve.")}


def set_working_directory(spark: SparkSession, folder: Path) -> None:
    jvm: Any = spark._jvm
    hadoop = spark._jsc.hadoopConfiguration()
    path = jvm.org.apache.hadoop.fs.Path(folder.as_uri())
    jvm.org.apache.hadoop.fs.FileSystem.get(hadoop).setWorkingDirectory(path)


def drop_views(spark: SparkSession) -> None:
    for table in spark.catalog.listTables():
        if table.isTemporary:
            spark.catalog.dropTempView(table.name)


@pytest.fixture
def clean(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SparkSession]:
    """The session in an empty folder, without views, and with its settings kept."""
    drop_views(spark)
    before = settings(spark)
    here = Path.cwd()
    monkeypatch.chdir(tmp_path)
    set_working_directory(spark, tmp_path)
    yield spark
    set_working_directory(spark, here)
    drop_views(spark)
    after = settings(spark)
    for key in after.keys() - before.keys():
        spark.conf.unset(key)
    for key, value in before.items():
        if after.get(key) != value:
            spark.conf.set(key, value)


@NEWEST
@pytest.mark.parametrize(
    "page", [pytest.param(p, id=p.stem) for p in PAGES if p.exists() and blocks(p)]
)
def test_the_blocks_of_a_page_run(page: Path, clean: SparkSession) -> None:
    names: dict[str, Any] = {"spark": clean, "sparksieve": sparksieve}
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if block.language == "sql":
            for statement in statements(block.text):
                try:
                    clean.sql(statement).collect()
                except Exception as failed:
                    raise AssertionError(f"{where}: {statement}\n{failed}") from failed
        else:
            # Tracebacks then name the page and the line.
            code = "\n" * block.line + block.text
            exec(compile(code, str(page), "exec"), names)


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return docs_module("generate")


@pytest.mark.parametrize("page", [pytest.param(p, id=p.stem) for p in sorted(DOCS.rglob("*.md"))])
def test_the_generated_parts_can_be_made(generator: ModuleType, page: Path) -> None:
    uri = page.relative_to(DOCS).as_posix()
    text = generator.rendered(page.read_text(encoding="utf-8"), uri)
    assert "<!-- set-up" not in text
    assert not generator.MARKER.search(text)


def test_every_reason_says_what_to_do(generator: ModuleType) -> None:
    page = (DOCS / generator.REASONS_PAGE).read_text(encoding="utf-8")
    text = generator.rendered(page, generator.REASONS_PAGE)
    parts = re.split(docs_module("page_reasons").HEADING, text)
    codes = dict(zip(parts[1::2], parts[2::2]))
    assert len(codes) > 60
    # What the sentence itself says to do need not be said again.
    said = re.compile(r"\*\*What to do\.\*\*|[;:] (?:write|read|put|set|filter)")
    assert [code for code, below in codes.items() if not said.search(below)] == []


def test_a_reason_without_heading_is_refused(generator: ModuleType) -> None:
    with pytest.raises(ValueError, match="no heading: "):
        generator.with_reasons("### pattern\n")
    page = (DOCS / generator.REASONS_PAGE).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="no such reason: no-such-code"):
        generator.with_reasons(page + "\n### no-such-code\n")


def test_every_link_of_the_readme_leads_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
