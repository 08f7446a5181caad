# SPDX-License-Identifier: Apache-2.0
"""What a run builds at its start: a jar of the Java classes, and a Maven repository with Sieve."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "java"

GROUP, ARTIFACT, VERSION = "io.sparksieve", "sparksieve-cluster", "1"

POM = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{GROUP}</groupId>
  <artifactId>{ARTIFACT}</artifactId>
  <version>{VERSION}</version>
</project>
"""


def java_jar(home: Path, spark: Path, java: Path | None = None) -> Path:
    """Compiles the classes of the folder `java` against the Spark in `spark`, into a jar.

    :raises SystemExit: there is no JDK, or a class does not compile.
    """
    classes, jar = home / "classes", home / "cluster.jar"
    compiler = str(java / "bin" / "javac") if java else shutil.which("javac")
    if not compiler:
        raise SystemExit("cluster: there is no javac on the PATH: install a JDK, not only a JRE.")
    sources = sorted(SOURCES.glob("*.java"))
    if jar.exists() and all(jar.stat().st_mtime > file.stat().st_mtime for file in sources):
        return jar
    words = ["-nowarn", "-proc:none", "-cp", f"{spark}/jars/*", "-d", str(classes)]
    done = subprocess.run([compiler, *words, *sources], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"cluster: the Java classes do not compile.\n{done.stderr}")
    with zipfile.ZipFile(jar, "w") as archive:
        for file in sorted(classes.rglob("*.class")):
            archive.write(file, str(file.relative_to(classes)))
    return jar


def repository(home: Path, jar: Path) -> Path:
    """A Maven repository in a folder, whose only module is the Sieve jar."""
    root = home / "repository"
    folder = root.joinpath(*GROUP.split("."), ARTIFACT, VERSION)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(jar, folder / f"{ARTIFACT}-{VERSION}.jar")
    (folder / f"{ARTIFACT}-{VERSION}.pom").write_text(POM)
    return root


def coordinates() -> str:
    """What `--packages` takes to find the jar in the repository."""
    return f"{GROUP}:{ARTIFACT}:{VERSION}"
