# SPDX-License-Identifier: Apache-2.0
"""Proves that tests can fail: breaks the code in one place at a time and expects a red test.

    python3 tests/mutation/run.py [name or part of one ...]
    python3 tests/mutation/run.py --check
    python3 tests/mutation/run.py --write FOLDER --share K/N

For each mutation in a feature's list, replaces one piece of a source file, runs the suites named
for the mutation, and restores the file. Prints RED (a test failed, as expected), GREEN (no test
failed: a gap, or a change without effect), COMPILE (the mutated code does not compile) or STALE
(the piece is missing, or occurs more than once). The exit code is 1 unless all are RED. Each
mutation takes about a minute; sources must be committed. --check runs no test: it only lists
mutations that are stale or that name a missing suite. --write makes a folder for each mutation of
share K of N, counted from 0, which `./sbt verify --all` runs with its own sbt: the files `name`,
`path`, `text` (the whole mutated file) and `suites`.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import adaptivefilter
import adaptivefilter_run
import advice
import bulkfilter
import bulkfilter_objects
import bulkfilter_values
import dynamicfilter
import dynamicfilter_keys
import dynamicfilter_lower
import keyset
import rangesource
import report
import scan
import scan_rebuilt
import setop
import setop_except
import setop_fallible
import setop_overwritten
import setop_sources
import ui
from mutation import Mutation

MUTATIONS = [
    *dynamicfilter.MUTATIONS,
    *dynamicfilter_keys.MUTATIONS,
    *dynamicfilter_lower.MUTATIONS,
    *scan.MUTATIONS,
    *scan_rebuilt.MUTATIONS,
    *adaptivefilter.MUTATIONS,
    *adaptivefilter_run.MUTATIONS,
    *advice.MUTATIONS,
    *bulkfilter.MUTATIONS,
    *bulkfilter_objects.MUTATIONS,
    *bulkfilter_values.MUTATIONS,
    *keyset.MUTATIONS,
    *rangesource.MUTATIONS,
    *report.MUTATIONS,
    *setop.MUTATIONS,
    *setop_except.MUTATIONS,
    *setop_fallible.MUTATIONS,
    *setop_overwritten.MUTATIONS,
    *setop_sources.MUTATIONS,
    *ui.MUTATIONS,
]
ROOT = Path(__file__).resolve().parents[2]
# A mutation runs on 4.2, so the sources of lines without it are not meant.
FILES = sorted(
    file
    for folder in ("scala", "scala-spark-4.0-4.3")
    for file in (ROOT / "scala-src" / "main" / folder).rglob("*.scala")
)


class Target:
    """The source file of a mutation, and the places of the piece that it replaces.

    The piece is compared word by word, so that a formatter that breaks lines elsewhere makes no
    mutation stale.
    """

    def __init__(self, mutation: Mutation) -> None:
        found = [f for f in FILES if f.as_posix().endswith(f"/{mutation.file}")]
        words = (re.escape(word) for word in mutation.before.split())
        self.mutation = mutation
        self.path = found[0] if len(found) == 1 else None
        self.text = self.path.read_text() if self.path else ""
        self.places = list(re.finditer(r"\s+".join(words), self.text)) if self.path else []

    def stale(self) -> str:
        """Why the mutation cannot be applied, or an empty string."""
        if not self.path:
            return f"{self.mutation.file} is missing or one of several files"
        if len(self.places) != 1:
            return f"found {len(self.places)} times in {self.mutation.file}"
        return ""

    def mutated(self) -> str:
        """The text of the file with the mutation."""
        (place,) = self.places
        return self.text[: place.start()] + self.mutation.after.strip() + self.text[place.end() :]


class Sbt:
    """One sbt process for all runs: sends commands, and reads the output up to a mark."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            ["./sbt"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> str:
        mark = f"mark{time.monotonic_ns()}"
        assert self.process.stdin and self.process.stdout
        # The mark is split, so that the echo of the command does not count as the mark.
        self.process.stdin.write(f'{command}\neval "{mark}" + "end"\n')
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if f"{mark}end" in line:
                return "".join(lines)
        raise SystemExit("sbt has ended: " + "".join(lines[-20:]))

    def close(self) -> None:
        self.process.communicate("exit\n")


def verdict(output: str) -> str:
    failed = re.findall(r"- (.*) \*\*\* FAILED \*\*\*", output)
    if failed or "*** ABORTED ***" in output:
        return f"RED      {len(failed)} failed, such as: {(failed or ['a suite'])[0][:90]}"
    errors = re.findall(r"\[error\] (.*\.scala:\d+.*)", output)
    if errors:
        return f"COMPILE  {errors[0]}"
    return "GREEN"


def judged(sbt: Sbt, mutation: Mutation) -> str:
    target = Target(mutation)
    if target.path is None or target.stale():
        return f"STALE    {target.stale()}"
    try:
        target.path.write_text(target.mutated())
        return verdict(sbt.run("testOnly " + " ".join(f"*{s}" for s in mutation.suites)))
    finally:
        target.path.write_text(target.text)


def check() -> int:
    """Prints the stale mutations and returns the exit code."""
    suites = {path.stem for path in (ROOT / "tests").glob("scala*/**/*.scala")}
    stale = 0
    for mutation in MUTATIONS:
        absent = [s for s in mutation.suites if s.rsplit(".", 1)[-1] not in suites]
        why = Target(mutation).stale() or (f"no suite {', '.join(absent)}" if absent else "")
        if why:
            stale += 1
            print(f"STALE    {mutation.name}: {why}")
    print(f"{len(MUTATIONS)} mutations, {stale} stale")
    return 1 if stale else 0


def write(folder: Path, share: int, shares: int) -> int:
    """Writes every mutation of a share, and returns the exit code."""
    for number, mutation in enumerate(MUTATIONS[share::shares]):
        target = Target(mutation)
        if target.path is None or target.stale():
            print(f"STALE    {mutation.name}: {target.stale()}")
            return 1
        one = folder / f"{number:03d}"
        one.mkdir(parents=True)
        (one / "name").write_text(mutation.name)
        (one / "path").write_text(target.path.relative_to(ROOT).as_posix())
        (one / "text").write_text(target.mutated())
        (one / "suites").write_text("\n".join(mutation.suites))
    return 0


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) == 5 and (sys.argv[1], sys.argv[3]) == ("--write", "--share"):
        share, shares = map(int, sys.argv[4].split("/"))
        return write(Path(sys.argv[2]), share, shares)
    changed = subprocess.run(
        ["git", "status", "--porcelain", "scala-src"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if changed:
        sys.exit(f"Commit these first, a mutation must not be mixed with them:\n{changed}")
    wanted = sys.argv[1:]
    chosen = [m for m in MUTATIONS if not wanted or any(w in m.name for w in wanted)]
    sbt = Sbt()
    # A mutation may leave code unused, which must not fail the compilation.
    sbt.run('set scalacOptions ~= (_.filterNot(Set("-Werror", "-Xfatal-warnings")))')
    red = 0
    for mutation in chosen:
        said = judged(sbt, mutation)
        red += said.startswith("RED")
        print(f"{mutation.name:<52} {said}", flush=True)
    sbt.close()
    print(f"{red} of {len(chosen)} RED")
    return 0 if red == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
