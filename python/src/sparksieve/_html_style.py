# SPDX-License-Identifier: Apache-2.0
"""The style sheet of reports in notebooks, for light and dark themes."""

from __future__ import annotations

LIGHT = {
    "background": "#ffffff",
    "text": "#1f2328",
    "faint": "#59636e",
    "line": "#d1d9e0",
    "applied": "#1a7f37",
    "declined": "#9a6700",
    "measured": "#0969da",
    "added": "#dafbe1",
    "removed": "#ffebe9",
}
"""The colours on a light background."""

DARK = {
    "background": "#0d1117",
    "text": "#e6edf3",
    "faint": "#9198a1",
    "line": "#3d444d",
    "applied": "#3fb950",
    "declined": "#d29922",
    "measured": "#58a6ff",
    "added": "#12361f",
    "removed": "#4b1a1e",
}
"""The colours on a dark background."""

# A notebook that says which theme it has is right; the system's theme is the fallback.
_LIGHT_NOTEBOOKS = ('[data-jp-theme-light="true"]', ".vscode-light", ".vscode-high-contrast-light")
_DARK_NOTEBOOKS = ('[data-jp-theme-light="false"]', ".vscode-dark", ".vscode-high-contrast")

# JupyterLab has rules for lists and tables, which these must outweigh.
_RULES = """
.sparksieve-report {
  color: var(--jp-content-font-color1, var(--vscode-editor-foreground, var(--sieve-text)));
  background: var(--jp-layout-color0, var(--vscode-editor-background, var(--sieve-background)));
  font: 14px/1.45 var(--jp-content-font-family, system-ui, sans-serif);
  padding: 4px 8px; max-width: 100%; box-sizing: border-box; text-align: left;
}
.sparksieve-report p { margin: 4px 0; }
.sparksieve-report code, .sparksieve-report .sieve-plan {
  font: 12px/1.5 var(--jp-code-font-family, var(--vscode-editor-font-family, monospace));
  color: inherit; background: none; padding: 0;
}
.sparksieve-report .sieve-headline { font-size: 16px; }
.sparksieve-report ul.sieve-verdicts { list-style: none; margin: 8px 0; padding: 0; }
.sparksieve-report .sieve-verdicts > li {
  display: grid; grid-template-columns: 7.5em minmax(0, 1fr); column-gap: 10px;
  margin: 0; padding: 5px 0; border-top: 1px solid var(--sieve-line);
}
.sparksieve-report .sieve-verdicts > li > div, .sparksieve-report summary { overflow-x: auto; }
.sparksieve-report .sieve-outcome { font-weight: 600; }
.sparksieve-report .sieve-applied { color: var(--sieve-applied); }
.sparksieve-report .sieve-declined { color: var(--sieve-declined); }
.sparksieve-report .sieve-measured { color: var(--sieve-measured); }
.sparksieve-report .sieve-faint { color: var(--sieve-faint); }
.sparksieve-report .sieve-file {
  white-space: nowrap; text-decoration: underline dotted var(--sieve-faint) 1px;
  text-underline-offset: 3px; cursor: help;
}
.sparksieve-report .sieve-verdicts ol { margin: 2px 0; padding: 0 0 0 1.6em; }
.sparksieve-report .sieve-verdicts ol > li { margin: 0; }
.sparksieve-report .sieve-scroll { overflow-x: auto; max-width: 100%; max-height: 32em; }
.sparksieve-report details {
  margin: 0; padding: 5px 0; border-top: 1px solid var(--sieve-line);
}
.sparksieve-report summary { cursor: pointer; display: list-item; }
.sparksieve-report table.sieve-table {
  border-collapse: collapse; margin: 6px 0; table-layout: auto; font-size: 13px;
  color: inherit; border: none;
}
.sparksieve-report .sieve-table thead tr, .sparksieve-report .sieve-table tbody tr:nth-child(n) {
  background: none; color: inherit;
}
.sparksieve-report .sieve-table thead th, .sparksieve-report .sieve-table tbody td {
  text-align: left; vertical-align: top; padding: 3px 12px 3px 0; white-space: nowrap;
  border: none; border-bottom: 1px solid var(--sieve-line); max-width: 44em;
}
.sparksieve-report .sieve-table thead th { font-weight: 600; color: var(--sieve-faint); }
.sparksieve-report .sieve-table tbody td.sieve-long { white-space: normal; min-width: 14em; }
.sparksieve-report .sieve-plan > div {
  display: inline-block; min-width: 100%; white-space: pre; padding: 4px 0;
}
.sparksieve-report .sieve-plan del, .sparksieve-report .sieve-plan ins {
  text-decoration: none; color: inherit;
}
.sparksieve-report .sieve-plan > div > * { display: block; }
.sparksieve-report .sieve-plan del { background: var(--sieve-removed); }
.sparksieve-report .sieve-plan ins { background: var(--sieve-added); }
"""


def style_sheet() -> str:
    """The CSS of a report, without the tag; its rules apply within reports only."""
    report = ".sparksieve-report"
    return "\n".join(
        [
            _palette(report, "light", LIGHT),
            f"@media (prefers-color-scheme: dark) {{ {_palette(report, 'dark', DARK)} }}",
            _palette(_within(_LIGHT_NOTEBOOKS), "light", LIGHT),
            _palette(_within(_DARK_NOTEBOOKS), "dark", DARK),
            _RULES.strip(),
        ]
    )


def _within(notebooks: tuple[str, ...]) -> str:
    return ", ".join(f"{notebook} .sparksieve-report" for notebook in notebooks)


def _palette(selector: str, scheme: str, colours: dict[str, str]) -> str:
    variables = " ".join(f"--sieve-{name}: {colour};" for name, colour in colours.items())
    return f"{selector} {{ color-scheme: {scheme}; {variables} }}"
