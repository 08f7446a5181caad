# SPDX-License-Identifier: Apache-2.0
"""Installs the artifacts of one Spark line as users do, and runs a query with them.

usage: smoke.py VERSION ARTIFACT PYSPARK [JARS]

A new virtual environment gets this version of pyspark, and nothing else. `spark-submit --packages`
brings the jar from the repository in `target/release/maven`, with an Ivy folder of its own, so
that no cache hides a defect. Then pip installs the wheel from `target/release/python`, without an
index, and `sparksieve.configure` starts Spark. JARS is a file with the paths of the jars that
replace those of pyspark.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "target" / "release"
QUERY = Path(__file__).with_name("query.py")

#: What would bring another Spark, other settings or other packages into the environment.
FOREIGN = ("SPARK_", "PYSPARK_", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")


class Environment:
    """A new virtual environment with pyspark, in which programs run."""

    def __init__(self, folder: Path, pyspark: str) -> None:
        self.folder = folder
        self.variables = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)}
        venv.create(folder / "venv", with_pip=True)
        self.run("python", "-m", "pip", "install", "--quiet", f"pyspark=={pyspark}")

    def run(self, program: str, *words: str) -> str:
        """Runs a program of the environment in its folder, and returns the last line of its output.

        Raises `SystemExit` with the whole output if the program fails.
        """
        python = self.folder / "venv" / "bin" / "python"
        done = subprocess.run(
            [str(python.with_name(program)), *words],
            cwd=self.folder,
            env={**self.variables, "PYSPARK_PYTHON": str(python)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            command = " ".join([program, *words])
            sys.exit(f"{done.stdout}\nsmoke.py: this failed, its output is above: {command}")
        results = [line for line in done.stdout.splitlines() if line.startswith("Spark ")]
        return results[-1] if results else ""

    def use(self, jars: list[Path]) -> None:
        """Makes pyspark start a Spark that consists of these jars."""
        home = self.folder / "spark"
        (home / "jars").mkdir(parents=True)
        for jar in jars:
            (home / "jars" / jar.name).symlink_to(jar)
        (bin_,) = self.folder.glob("venv/lib/python*/site-packages/pyspark/bin")
        shutil.copytree(bin_, home / "bin")
        self.variables["SPARK_HOME"] = str(home)


def with_packages(environment: Environment, version: str, artifact: str) -> str:
    """Runs the query with what `--packages` brings, our jar and no other; returns its result."""
    ivy = environment.folder / "ivy"
    coordinates = f"io.sparksieve:{artifact}:{version}"
    result = environment.run(
        "spark-submit",
        *("--packages", coordinates, "--repositories", (RELEASE / "maven").as_uri()),
        *("--conf", f"spark.jars.ivy={ivy}"),
        *("--conf", "spark.sql.extensions=io.sparksieve.SieveExtensions"),
        str(QUERY),
    )
    fetched = sorted((ivy / "jars").glob("*.jar"))
    published = RELEASE / "maven" / "io" / "sparksieve" / artifact / version
    jar = published / f"{artifact}-{version}.jar"
    if [file.read_bytes() for file in fetched] != [jar.read_bytes()]:
        names = ", ".join(file.name for file in fetched)
        sys.exit(f"smoke.py: --packages {coordinates} brought {names}, not only {jar.name}")
    return result


def with_wheel(environment: Environment, version: str) -> str:
    """Runs the query with the wheel, and returns its result."""
    links = ("--no-index", "--find-links", str(RELEASE / "python"))
    environment.run("python", "-m", "pip", "install", "--quiet", *links, f"sparksieve=={version}")
    return environment.run("python", str(QUERY), version)


def main(version: str, artifact: str, pyspark: str, jars: str = "") -> None:
    """Tries the artifacts of a line both ways."""
    folder = RELEASE / "work" / artifact
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{artifact}, with pyspark {pyspark}", flush=True)
    begin = time.monotonic()
    environment = Environment(folder, pyspark)
    if jars:
        environment.use([Path(jar) for jar in Path(jars).read_text().split(os.pathsep)])
    print(f"  --packages: {with_packages(environment, version, artifact)}", flush=True)
    print(f"  wheel:      {with_wheel(environment, version)}", flush=True)
    shutil.rmtree(folder)
    print(f"  took {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
