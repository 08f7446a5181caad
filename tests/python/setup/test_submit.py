# SPDX-License-Identifier: Apache-2.0
"""Settings made outside the program: PYSPARK_SUBMIT_ARGS and spark-defaults.conf."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sparksieve._setup.submit import (
    SubmitArgs,
    append_to_list,
    read_defaults,
    set_submit_jars,
    submit_args,
)


def test_the_options_are_read_in_both_spellings() -> None:
    args = SubmitArgs(
        "--master local[2] --jars=a.jar,b.jar --conf spark.sql.extensions=x.Y "
        "--conf=spark.app.name='my app' -c a.b=c=d --packages g:a:1 --properties-file p.conf "
        "pyspark-shell"
    )
    assert args.jars == "a.jar,b.jar"
    assert args.conf == {
        "spark.sql.extensions": "x.Y",
        "spark.app.name": "my app",
        "a.b": "c=d",
    }
    assert args.packages
    assert args.properties_file == "p.conf"


def test_setting_the_jars_leaves_the_other_options_alone() -> None:
    args = SubmitArgs("--master local[2] --jars a.jar --conf 'k=v w' pyspark-shell")
    again = SubmitArgs(args.with_jars("a.jar,b.jar"))
    assert again.jars == "a.jar,b.jar"
    assert again.conf == {"k": "v w"}
    assert args.with_jars("b.jar").endswith("pyspark-shell")
    assert "--master 'local[2]'" in args.with_jars("b.jar")


def test_jars_are_set_where_nothing_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "")
    set_submit_jars("a.jar")
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == "--jars a.jar pyspark-shell"
    assert submit_args().jars == "a.jar"


def test_defaults_are_read_as_spark_reads_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    (tmp_path / "spark-defaults.conf").write_text(
        "# comment\n! also one\n\nspark.jars   a.jar,b.jar  \nspark.x=1\n  spark.y : two words\n"
    )
    assert read_defaults(tmp_path, SubmitArgs("")) == {
        "spark.jars": "a.jar,b.jar",
        "spark.x": "1",
        "spark.y": "two words",
    }


def test_a_properties_file_replaces_the_defaults(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "conf").mkdir(parents=True)
    (home / "conf" / "spark-defaults.conf").write_text("spark.x 1\n")
    mine = tmp_path / "mine.conf"
    mine.write_text("spark.x 2\n")
    assert read_defaults(home, SubmitArgs("")) == {"spark.x": "1"}
    assert read_defaults(home, SubmitArgs(f"--properties-file {mine}")) == {"spark.x": "2"}
    assert read_defaults(tmp_path, SubmitArgs("")) == {}


def test_a_list_takes_an_item_once() -> None:
    assert append_to_list(None, "b") == "b"
    assert append_to_list("a, c", "b") == "a,c,b"
    assert append_to_list("a,b", "b") == "a,b"
