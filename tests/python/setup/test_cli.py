# SPDX-License-Identifier: Apache-2.0
"""The command line, without sessions."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from sparksieve import cli
from sparksieve._setup.configs import all_configs
from sparksieve._setup.install import find_install
from sparksieve._setup.jars import bundled_jar
from sparksieve._version import __version__
from support import run, sparksieve, write_spark_home


def test_help_names_every_command() -> None:
    done = sparksieve("--help")
    assert done.returncode == 0
    for command in ("doctor", "jar", "conf", "demo"):
        assert f"    {command} " in done.stdout


def test_each_command_has_help() -> None:
    for command in ("doctor", "jar", "conf"):
        done = sparksieve(command, "--help")
        assert done.returncode == 0
        assert f"sparksieve {command}" in done.stdout


def test_no_or_a_wrong_command_is_wrong_usage() -> None:
    for words in ([], ["surgeon"], ["jar", "--sparc", "4.0"]):
        done = sparksieve(*words)
        assert done.returncode == 2
        assert "usage:" in done.stderr


def test_the_version() -> None:
    assert sparksieve("--version").stdout == f"sparksieve {__version__}\n"


def test_jar_prints_the_path_for_the_installed_spark() -> None:
    install = find_install()
    done = sparksieve("jar")
    assert done.stdout == f"{bundled_jar(install.spark_version, install.scala)}\n"
    assert done.returncode == 0


def test_jar_for_a_named_spark() -> None:
    assert sparksieve("jar", "--spark", "4.1").stdout == f"{bundled_jar('4.1', '2.13')}\n"
    done = sparksieve("jar", "--spark", "3.5.9", "--scala", "2.12")
    assert done.stdout == f"{bundled_jar('3.5', '2.12')}\n"


def test_jar_for_a_spark_that_has_none() -> None:
    done = sparksieve("jar", "--spark", "3.4")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "supports the lines 3.5, 4.0" in done.stderr
    done = sparksieve("jar", "--spark", "4.1", "--scala", "2.12")
    assert done.returncode == 1
    assert "Scala 2.13" in done.stderr


def test_jar_follows_spark_home(tmp_path: Path) -> None:
    home = write_spark_home(tmp_path / "spark", "3.5.3", "2.13.8")
    done = sparksieve("jar", SPARK_HOME=str(home))
    assert done.stdout == f"{bundled_jar('3.5', '2.13')}\n"


def test_conf_lists_every_config() -> None:
    done = sparksieve("conf")
    assert done.returncode == 0
    for config in all_configs():
        assert f"{config.key}  ({config.type}, default {config.default}, since" in done.stdout
        assert f"Accepts: {config.allowed}" in done.stdout


def test_commands_that_need_no_other_package_work_alone(tmp_path: Path) -> None:
    # The package is copied to its own folder, so site-packages with pyspark are not visible.
    package = Path(cli.__file__).parent
    shutil.copytree(package, tmp_path / "sparksieve", ignore=shutil.ignore_patterns("__pycache__"))

    def alone(*words: str) -> tuple[int, str]:
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from sparksieve.cli import main"
        call = f"{code}; sys.exit(main({list(words)!r}))"
        done = run([sys.executable, "-I", "-S", "-c", call])
        return done.returncode, done.stdout + done.stderr

    assert alone("conf")[0] == 0
    code, text = alone("jar", "--spark", "4.3", "--scala", "2.13")
    assert (code, text.strip()) == (
        0,
        str(tmp_path / "sparksieve" / "jars" / bundled_jar("4.3", "2.13").name),
    )
    code, text = alone("jar")
    assert code == 1
    assert "pyspark is not installed. Install it with" in text
    code, text = alone("doctor")
    assert code == 1
    assert "FAIL  pyspark: pyspark is not installed\n      -> Install it with" in text
    assert alone("demo", "--help")[0] == 0
    code, text = alone("demo", "--list")
    assert code == 0
    assert "except-all" in text
    assert alone("demo") == (
        2,
        'sparksieve demo needs rich and jinja2: pip install "sparksieve[demo]"\n',
    )


def test_the_demo_gets_its_own_words() -> None:
    done = sparksieve("demo", "--help")
    assert done.returncode == 0
    assert "--data" in done.stdout


def test_the_console_script_is_installed() -> None:
    script = Path(sys.executable).parent / "sparksieve"
    done = run([str(script), "--version"])
    assert done.stdout == f"sparksieve {__version__}\n"


def test_main_takes_its_words_as_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["conf"]) == 0
    assert "spark.sieve.enabled" in capsys.readouterr().out
