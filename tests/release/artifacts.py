# SPDX-License-Identifier: Apache-2.0
"""Checks the files in `target/release`: names, versions, checksums, signatures, licence, metadata.

usage: artifacts.py VERSION ARTIFACT...

An ARTIFACT is a name such as `sparksieve-spark-4.3_2.13`. Prints each problem, and fails if there
is one.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from pom import Pom

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / "target" / "release"
PYTHON = RELEASE / "python"
LICENCE = (ROOT / "LICENSE").read_bytes()

#: The file of each kind of jar that shows that it is one of that kind.
CONTENTS = {
    "": "io/sparksieve/SieveExtensions.class",
    "-sources": "io/sparksieve/SieveExtensions.scala",
    "-javadoc": "index.html",
}


def folder_of(artifact: str, version: str) -> Path:
    """The folder of an artifact in the Maven repository."""
    return RELEASE / "maven" / "io" / "sparksieve" / artifact / version


# --- the Maven repository ----------------------------------------------------------------------


def maven(artifact: str, version: str) -> Iterator[str]:
    """The problems of an artifact."""
    folder = folder_of(artifact, version)
    stem = f"{artifact}-{version}"
    wanted = {f"{stem}.pom", *(f"{stem}{kind}.jar" for kind in CONTENTS)}
    present = {path.name for path in folder.glob("*")}
    signatures = {name for name in present if name.endswith(".asc")}
    plain = wanted | ({f"{name}.asc" for name in wanted} if signatures else set())
    expected = plain | {f"{name}.{kind}" for name in plain for kind in ("md5", "sha1")}
    if present != expected:
        missing, others = sorted(expected - present), sorted(present - expected)
        yield f"{folder}: missing {missing}, too many {others}"
        return
    for name in sorted(plain):
        yield from checksums(folder / name)
    for name in sorted(signatures):
        yield from signature(folder / name)
    for kind, entry in CONTENTS.items():
        yield from jar(folder / f"{stem}{kind}.jar", entry)
    yield from properties(folder / f"{stem}.jar", artifact, version)
    yield from Pom(folder / f"{stem}.pom").problems(artifact, version)


def checksums(file: Path) -> Iterator[str]:
    """The checksums beside a file that are not its own."""
    for kind in ("md5", "sha1"):
        beside = file.with_name(f"{file.name}.{kind}")
        digest = hashlib.new(kind, file.read_bytes(), usedforsecurity=False)
        if beside.read_text().strip() != digest.hexdigest():
            yield f"{beside.name} is not the checksum of {file.name}"


def signature(file: Path) -> Iterator[str]:
    """A signature that GnuPG does not accept for the file that it signs."""
    words = ["gpg", "--verify", str(file), str(file.with_suffix(""))]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"{file.name} is no valid signature: {done.stderr.strip()}"


def jar(file: Path, entry: str) -> Iterator[str]:
    """The problems of a jar, which must have an entry, and the licence."""
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if entry not in names:
            yield f"{file.name} has no {entry}"
        if "META-INF/LICENSE" not in names or archive.read("META-INF/LICENSE") != LICENCE:
            yield f"{file.name}: META-INF/LICENSE is not the project's LICENSE"


def properties(file: Path, artifact: str, version: str) -> Iterator[str]:
    """Properties in a jar that name another artifact or version."""
    line, scala = artifact.removeprefix("sparksieve-spark-").split("_")
    expected = f"version={version}\nspark.line={line}\nscala.binary={scala}\n"
    with zipfile.ZipFile(file) as archive:
        text = archive.read("META-INF/sparksieve.properties").decode()
    if text != expected:
        yield f"{file.name}: META-INF/sparksieve.properties has {text!r}, not {expected!r}"


# --- the Python package ------------------------------------------------------------------------


def python(version: str, artifacts: list[str]) -> Iterator[str]:
    """The problems of sdist and wheel."""
    sdist = PYTHON / f"sparksieve-{version}.tar.gz"
    wheel = PYTHON / f"sparksieve-{version}-py3-none-any.whl"
    present = {path.name for path in PYTHON.glob("*")}
    if present != {sdist.name, wheel.name}:
        yield f"{PYTHON} has {sorted(present)}, not {sdist.name} and {wheel.name}"
        return
    contents = wheel_contents(wheel)
    for artifact in artifacts:
        name = f"{artifact}-{version}.jar"
        if (
            contents.get(f"sparksieve/jars/{name}")
            != (folder_of(artifact, version) / name).read_bytes()
        ):
            yield f"{wheel.name}: its {name} is not the one in the Maven repository"
    if contents.get(f"sparksieve-{version}.dist-info/licenses/LICENSE") != LICENCE:
        yield f"{wheel.name} has not the project's LICENSE"
    with tarfile.open(sdist) as archive:
        if f"sparksieve-{version}/LICENSE" not in archive.getnames():
            yield f"{sdist.name} has no LICENSE"
    if built(sdist) != contents:
        yield f"{sdist.name}: a wheel that is built from it differs from {wheel.name}"
    words = [sys.executable, "-m", "twine", "check", "--strict", str(sdist), str(wheel)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield f"twine rejects the metadata:\n{done.stdout}{done.stderr}"


def wheel_contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def built(sdist: Path) -> dict[str, bytes]:
    """The files of the wheel that pip builds from an sdist; none if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder]
        words = [sys.executable, "-m", "pip", "wheel", *options, str(sdist)]
        subprocess.run(words, check=False)
        wheels = list(Path(folder).glob("*.whl"))
        return wheel_contents(wheels[0]) if wheels else {}


# --- documents ---------------------------------------------------------------------------------

COORDINATES = re.compile(r"io\.sparksieve:(sparksieve-spark-[\d.]+_[\d.]+):([\w.]+)")


def documents(version: str) -> Iterator[str]:
    """A missing section in CHANGELOG.md, and coordinates of another version in the documents."""
    if f"\n## [{version}]" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md has no section '## [{version}]': rename '## [Unreleased]'"
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for artifact, stated in COORDINATES.findall(page.read_text(encoding="utf-8")):
            if stated != version:
                yield f"{page.name} has {artifact}:{stated}; the version is {version}"


def main(version: str, *artifacts: str) -> None:
    """Prints the problems of all files."""
    problems = [] if re.fullmatch(r"\d+\.\d+\.\d+", version) else [f"{version} is no release"]
    for artifact in artifacts:
        problems += maven(artifact, version)
    problems += python(version, list(artifacts))
    problems += documents(version)
    for problem in problems:
        print(f"artifacts.py: {problem}")
    if problems:
        sys.exit(1)
    files = sum(1 for path in RELEASE.rglob("*") if path.is_file())
    print(f"artifacts.py: {files} files of {len(artifacts)} artifacts and the package are right")


if __name__ == "__main__":
    main(*sys.argv[1:])
