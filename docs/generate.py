# SPDX-License-Identifier: Apache-2.0
"""The generated parts of the documentation site, as hooks of mkdocs.

A page has a marker where a part belongs:

    <!-- configs: spark.sieve.setop -->   the configs with this prefix, from configs.json
    <!-- coordinates -->                  the Maven coordinates of each Spark line
    <!-- lines -->                        the Spark lines, and how each is tested
    <!-- figures: setop -->               the measured figures of docs/figures/setop.json
    <!-- figures: large/setop -->         those of the larger run
    <!-- settings: setop -->              the settings in which they were measured
    <!-- command: setop -->               the command that repeats them, from measure.sh
    <!-- demo: cases -->                  the measured figures of the demo

On the page of reasons, the sentences of `reasons.json` follow the headings with their codes. The
build fails if a code has no heading, or a heading no code.

The documents in the repository's root become pages, and so does `notebook.ipynb`. Comments for
`tests/python/pages/test_docs.py` are removed.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from page_figures import command, demo_table, figures_table, settings_table
from page_notebook import notebook_page
from page_reasons import with_reasons
from page_tables import breakable_configs, configs_table, coordinates, lines_table

ROOT = Path(__file__).resolve().parent.parent
REASONS_PAGE = "why-not-pushed.md"

# The documents of the repository's root that are pages too.
DOCUMENTS = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "SOUNDNESS.md")

TEST_COMMENT = re.compile(r"<!-- (?:set-up|not run)\b.*?-->\n?", re.DOTALL)
MARKER = re.compile(
    r"^<!-- (coordinates|lines|(?:configs|figures|settings|command|demo): \S+) -->$", re.MULTILINE
)


PARTS = {
    "configs": configs_table,
    "figures": figures_table,
    "settings": settings_table,
    "command": command,
    "demo": demo_table,
}


def on_files(files: Any, config: Any) -> Any:
    """Adds the documents of the repository's root, and the notebook."""
    from mkdocs.structure.files import File

    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page_of(name), content=text))
    files.append(File.generated(config, "notebook.md", content=notebook_page()))
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
    text = breakable_configs(text)
    if uri == REASONS_PAGE:
        text = with_reasons(text)
    return with_links(text, uri)


def part(marker: str) -> str:
    """The part that a marker names."""
    name, _, argument = marker.partition(": ")
    if name == "coordinates":
        return coordinates()
    if name == "lines":
        return lines_table()
    return PARTS[name](argument)


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
