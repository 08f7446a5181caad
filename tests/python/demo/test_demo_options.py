# SPDX-License-Identifier: Apache-2.0
"""The demo's command line: options that it accepts, and its messages about all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparksieve.demo import cases, main
from sparksieve.demo.options import FULL_SCALE, SCALE, Options, parse


def parsed(*argv: str) -> Options:
    options = parse(argv)
    assert options is not None
    return options


def test_defaults() -> None:
    options = parsed()
    assert (options.data, options.master, options.runs) == ("auto", "local[2]", 3)
    assert options.rows == 336_776 * SCALE
    assert options.features == cases.short(cases.discover())
    assert options.json is None
    assert options.cache.name == "demo"
    assert options.cache.parent.name == "sparksieve"


def test_the_short_demo_has_a_case_of_each_feature() -> None:
    short = cases.short(cases.discover())
    assert short.keys() == cases.discover().keys()
    assert sum(len(found) for found in short.values()) == 11


def test_full_is_all_cases_over_more_data() -> None:
    options = parsed("--full")
    assert options.features == cases.discover()
    assert options.rows == 336_776 * FULL_SCALE
    assert parsed("--full", "--scale", "2").scale == 2
    assert parsed("--full", "--cases", "union").features == parsed("--cases", "union").features


def test_scale_sets_the_size_of_either_data() -> None:
    assert parsed("--scale", "2").scale == 2
    assert parsed("--data", "generated", "--scale", "2").rows == 2 * 336_776
    assert parsed("--data", "generated", "--rows", "20_000").rows == 20_000


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["--data", "planes"], ["--data", "'planes'", "auto", "flights", "generated"]),
        (["--rows", "0", "--data", "generated"], ["--rows", "'0'", "1 or more"]),
        (["--runs", "many"], ["--runs", "'many'", "whole number"]),
        (["--scale", "1.5"], ["--scale", "'1.5'", "whole number"]),
        (["--rows", "5"], ["--rows", "--data generated", "--scale"]),
        (["--rows", "5", "--data", "flights"], ["--rows", "--data generated"]),
        (["--data", "generated", "--rows", "5", "--scale", "2"], ["--rows", "--scale"]),
        (["--master", "localhost"], ["--master", "'localhost'", "local[2]", "spark://"]),
        (["--cases", "intersekt"], ["--cases", "did you mean 'intersect'", "setop", "except-all"]),
        (["--cases", ""], ["--cases", "no case ''", "except-all"]),
        (["--out", "no/such/folder/page.html"], ["--out", "no/such/folder", "folder that exists"]),
        (["--json", "no/such/folder/a.json"], ["--json", "no/such/folder", "folder that exists"]),
        (["--colour", "red"], ["--colour"]),
    ],
)
def test_wrong_options_say_what_is_allowed(
    argv: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    message = capsys.readouterr().err
    for part in expected:
        assert part in message


def test_out_must_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path)])
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize(
    "master", ["local", "local[*]", "local[4]", "local[2,3]", "spark://host:7077", "yarn"]
)
def test_masters(master: str) -> None:
    assert parsed("--master", master).master == master


def test_list_needs_no_spark(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    output = capsys.readouterr().out
    for feature, found in cases.discover().items():
        assert feature in output
        for case in found:
            assert case.name in output
            assert case.title in output


def test_cases_by_feature_name_and_pattern() -> None:
    def names(wanted: str) -> list[str]:
        return [
            case.name for found in parsed("--cases", wanted).features.values() for case in found
        ]

    assert names("intersect") == ["intersect"]
    assert names("union, except-all") == ["except-all", "union"]
    assert set(names("except*")) > {"except-all", "except-csv"}
    assert names("setop") == [case.name for case in cases.discover()["setop"]]
