# SPDX-License-Identifier: Apache-2.0
"""The colours of reports in notebooks are readable, and follow the notebook's theme."""

from __future__ import annotations

import re

import pytest

from sparksieve._html_style import DARK, LIGHT, style_sheet

#: The backgrounds of JupyterLab's and VS Code's themes beside the reports' own.
BACKGROUNDS = [(LIGHT, "#ffffff"), (DARK, DARK["background"]), (DARK, "#111111"), (DARK, "#1e1e1e")]
TEXTS = ("text", "faint", "applied", "declined", "measured")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "background"), BACKGROUNDS)
def test_text_is_readable(colours: dict[str, str], background: str) -> None:
    for text in TEXTS:
        assert contrast(colours[text], background) >= 4.5, text
    for line in ("added", "removed"):
        assert contrast(colours["text"], colours[line]) >= 7, line
        assert colours[line] != colours["background"]


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_outcomes_have_different_colours(colours: dict[str, str]) -> None:
    assert len({colours[text] for text in TEXTS}) == len(TEXTS)


def test_both_palettes_have_each_colour_that_is_used() -> None:
    css = style_sheet()
    used = set(re.findall(r"var\(--sieve-(\w+)\)", css))
    assert used == set(LIGHT) == set(DARK)
    assert css.count("{") == css.count("}")


def test_the_notebooks_theme_has_the_last_word() -> None:
    """The rules of a notebook's theme have more weight, and stand after that of the system."""
    css = style_sheet()
    system = css.index("prefers-color-scheme: dark")
    for theme, scheme in {
        '[data-jp-theme-light="true"]': "light",
        '[data-jp-theme-light="false"]': "dark",
        ".vscode-light": "light",
        ".vscode-dark": "dark",
        ".vscode-high-contrast": "dark",
    }.items():
        found = css.index(f"{theme} .sparksieve-report")
        assert found > system
        assert css[found:].split("color-scheme: ")[1].startswith(scheme)


def test_all_rules_apply_within_reports_only() -> None:
    without_media = style_sheet().replace("@media (prefers-color-scheme: dark) {", "")
    for rule in re.findall(r"([^{}]+){", without_media):
        for selector in rule.split(","):
            assert ".sparksieve-report" in selector
