# SPDX-License-Identifier: Apache-2.0
"""The doctor: each finding with its remedy."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sparksieve._setup import doctor
from sparksieve._setup.doctor import FAIL, OK, WARN, Check, examine
from sparksieve._setup.install import check_spark_home, find_install
from sparksieve._setup.jars import bundled_jar
from sparksieve._setup.probe import ProbeResult
from sparksieve._version import __version__
from sparksieve.errors import SparkHomeError
from support import run, sparksieve, write_jar, write_java, write_spark_home

INSTALL = find_install()

START = "Starting a Spark session with Sieve and running a test query (may take a minute) ..."


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(name, raising=False)


def checks(session: bool = False) -> dict[str, Check]:
    return {check.name: check for check in examine(session=session)}


def test_a_sound_installation_passes_with_a_session() -> None:
    done = sparksieve("doctor")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    names = [line[6:].partition(":")[0] for line in lines[:-1]]
    assert names == [
        "Python",
        "pyspark",
        "Spark",
        "Scala",
        "Java",
        "Jar",
        "One jar version",
        "Session",
        "Extension",
        "Loaded jars",
        "Rewriting",
    ]
    assert all(line.startswith("OK    ") for line in lines[:-1])
    assert "rewritten by ReplaceExceptWithNotFilter" in done.stdout
    assert lines[-1] == "All checks passed."
    assert done.stderr.splitlines()[-1] == START


def test_the_session_check_can_be_left_out() -> None:
    done = sparksieve("doctor", "--no-session")
    assert done.returncode == 0
    assert "Session" not in done.stdout


def test_no_java_is_found_before_spark_fails_on_it(tmp_path: Path) -> None:
    done = sparksieve("doctor", "--no-session", JAVA_HOME=str(tmp_path))
    assert done.returncode == 1
    assert f"FAIL  Java: JAVA_HOME={tmp_path} has no bin/java" in done.stdout
    assert "-> Correct or unset JAVA_HOME" in done.stdout
    assert done.stdout.endswith("1 check failed.\n")


def test_a_session_without_java_fails_with_the_remedy(tmp_path: Path) -> None:
    done = sparksieve("doctor", JAVA_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "FAIL  Session: a fresh local session: JavaNotFoundError" in done.stdout


def test_an_old_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(write_java(tmp_path / "java", "1.7.0")))
    check = checks()["Java"]
    assert check.status == FAIL
    assert "Install a JDK" in check.remedy


def test_an_untested_java_is_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = write_spark_home(tmp_path / "spark", "3.5.3", "2.12.18")
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setenv("JAVA_HOME", str(write_java(tmp_path / "java", "21.0.1")))
    assert checks()["Java"].status == WARN


def test_spark_home_of_another_line_fails_as_configure_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line = "4.0" if INSTALL.line != "4.0" else "4.1"
    home = write_spark_home(tmp_path / "spark", f"{line}.1", "2.13.16")
    monkeypatch.setenv("SPARK_HOME", str(home))
    found = checks()
    said = found["SPARK_HOME"]
    assert said.status == FAIL
    assert f"line {line}" in found["Spark"].found
    assert f"{line}_2.13" in found["Jar"].found
    with pytest.raises(SparkHomeError) as raised:
        check_spark_home(find_install())
    assert str(raised.value) == f"{said.found}. {said.remedy}"


def test_spark_home_of_the_same_line_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = write_spark_home(tmp_path / "spark", f"{INSTALL.line}.99", f"{INSTALL.scala}.1")
    monkeypatch.setenv("SPARK_HOME", str(home))
    said = checks()["SPARK_HOME"]
    assert said.status == WARN
    assert said.found == (
        f"SPARK_HOME={home} is Spark {INSTALL.line}.99, but pyspark is {INSTALL.pyspark_version}"
    )
    assert said.remedy.startswith("Unset SPARK_HOME")


def test_spark_home_without_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    check = checks()["Spark"]
    assert check.status == FAIL
    assert "Unset SPARK_HOME" in check.remedy


def test_an_unsupported_spark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", str(write_spark_home(tmp_path / "s", "3.2.0", "2.12.15")))
    check = checks()["Spark"]
    assert check.status == FAIL
    assert "3.5, 4.0, 4.1, 4.2, 4.3" in check.found


def test_a_wrong_scala(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARK_HOME", str(write_spark_home(tmp_path / "s", "4.0.0", "3.3.1")))
    check = checks()["Scala"]
    assert check.status == FAIL
    assert "Use a Spark built for that Scala" in check.remedy


def test_a_missing_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sparksieve._setup.jars.JARS", tmp_path)
    check = checks()["Jar"]
    assert check.status == FAIL
    assert "force-reinstall" in check.found + check.remedy


def test_a_jar_of_another_version_in_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install = find_install()
    name = bundled_jar(install.spark_version, install.scala).name
    write_jar(tmp_path / name, "0.0.9", install.line, install.scala)
    monkeypatch.setattr("sparksieve._setup.jars.JARS", tmp_path)
    check = checks()["Jar"]
    assert check.status == FAIL
    assert f"holds version 0.0.9, but this package is {__version__}" in check.found


def old_jar(folder: Path) -> Path:
    install = find_install()
    name = f"sparksieve-spark-{install.line}_{install.scala}-0.0.9.jar"
    return write_jar(folder / name, "0.0.9", install.line, install.scala)


def test_two_versions_in_the_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = old_jar(tmp_path)
    (tmp_path / "spark-defaults.conf").write_text(f"spark.jars {old}\n")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    check = checks()["One jar version"]
    assert check.status == FAIL
    assert str(old) in check.found
    assert "remove the others" in check.remedy


def test_two_versions_in_the_submit_arguments(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--jars {old_jar(tmp_path)} pyspark-shell")
    assert checks()["One jar version"].status == FAIL


def test_a_second_version_in_sparks_own_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = write_spark_home(tmp_path / "spark", "4.0.1", "2.13.16")
    write_jar(home / "jars" / "sparksieve-spark-4.0_2.13-0.0.9.jar", "0.0.9", "4.0", "2.13")
    monkeypatch.setenv("SPARK_HOME", str(home))
    assert checks()["One jar version"].status == FAIL


def test_two_versions_loaded_by_a_real_session(tmp_path: Path) -> None:
    old = old_jar(tmp_path)
    done = sparksieve("doctor", PYSPARK_SUBMIT_ARGS=f"--driver-class-path {old} pyspark-shell")
    assert done.returncode == 1
    assert "FAIL  Loaded jars: versions 0.0.9 and" in done.stdout
    assert str(old) in done.stdout


def test_an_unreachable_connect_server() -> None:
    done = sparksieve("doctor", "--remote", "sc://127.0.0.1:1", "--timeout", "20")
    assert done.returncode == 1
    assert "FAIL  Session: Spark Connect server sc://127.0.0.1:1" in done.stdout
    assert "-> Check that the server runs" in done.stdout


def test_a_remote_that_is_no_url() -> None:
    done = sparksieve("doctor", "--remote", "localhost")
    assert done.returncode == 2
    assert "sc://HOST:PORT" in done.stderr


def test_each_step_is_announced_before_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def probe(*_: object) -> ProbeResult:
        seen.append("probe")
        return ProbeResult("no answer")

    monkeypatch.setattr(doctor, "run_probe", probe)
    for check in examine(begin=seen.append):
        seen.append(check.name)
    assert seen == [
        "Python",
        "Looking for pyspark and Spark ...",
        "pyspark",
        "Spark",
        "Scala",
        "Asking Java for its version ...",
        "Java",
        "Looking for Sieve's jar, and for others of it ...",
        "Jar",
        "One jar version",
        START,
        "probe",
        "Session",
    ]


def test_connecting_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(doctor, "run_probe", lambda *_: ProbeResult("no answer"))
    list(examine(remote="sc://db.example", begin=said.append))
    assert said[-1].startswith("Connecting to sc://db.example")
    said.clear()
    list(examine(session=False, begin=said.append))
    assert START not in said


def probed(monkeypatch: pytest.MonkeyPatch, result: ProbeResult) -> dict[str, Check]:
    monkeypatch.setattr(doctor, "run_probe", lambda *_: result)
    return checks(session=True)


def test_a_session_with_a_jar_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    info = [("version", "0.0.9"), ("spark", "x"), ("jar", "0.0.9 jar:file:/x.jar!/META-INF/p")]
    found = probed(monkeypatch, ProbeResult(None, info, "Rule"))
    assert found["Extension"].status == FAIL
    assert "0.0.9" in found["Extension"].found
    assert found["Loaded jars"].status == OK


def test_a_session_that_rewrites_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = probed(monkeypatch, ProbeResult(None, [("version", __version__)], None))
    assert found["Extension"].status == OK
    assert found["Rewriting"].status == FAIL


def test_a_probe_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [c for c in examine(timeout=0.01) if c.name == "Session"]
    assert found[0].status == FAIL
    assert "no answer within 0.01 seconds" in found[0].found


def test_the_probe_says_what_went_wrong(tmp_path: Path) -> None:
    probe = run([sys.executable, "-m", "sparksieve._setup.probe"], JAVA_HOME=str(tmp_path))
    line = next(line for line in probe.stdout.splitlines() if line.startswith("sparksieve-probe:"))
    assert "JavaNotFoundError" in json.loads(line.partition(":")[2])["error"]
