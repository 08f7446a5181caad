"""Proves that tests can fail: breaks the code in one place at a time and expects a red test.

    python3 tests/mutation/run.py [name or part of one ...]
    python3 tests/mutation/run.py --check

For each mutation in a feature's list, replaces one piece of a source file, runs the suites named
for the mutation, and restores the file. Prints RED (a test failed, as expected), GREEN (no test
failed: a gap, or a change without effect), COMPILE (the mutated code does not compile) or STALE
(the piece is missing, or occurs more than once). The exit code is 1 unless all are RED. Each
mutation takes about a minute; sources must be committed. --check runs no test: it only lists
mutations that are stale or that name a missing suite.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

import adaptivefilter
import bulkfilter
import bulkfilter_objects
import dynamicfilter
import keyset
import rangesource
import report
import setop
from mutation import Mutation

MUTATIONS = [
    *dynamicfilter.MUTATIONS,
    *adaptivefilter.MUTATIONS,
    *bulkfilter.MUTATIONS,
    *bulkfilter_objects.MUTATIONS,
    *keyset.MUTATIONS,
    *rangesource.MUTATIONS,
    *report.MUTATIONS,
    *setop.MUTATIONS,
]
ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "scala-src" / "main" / "scala"


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
    path = SOURCES / mutation.file
    text = path.read_text()
    if text.count(mutation.before) != 1:
        return f"STALE    found {text.count(mutation.before)} times in {mutation.file}"
    try:
        path.write_text(text.replace(mutation.before, mutation.after))
        return verdict(sbt.run("testOnly " + " ".join(f"*{s}" for s in mutation.suites)))
    finally:
        path.write_text(text)


def check() -> int:
    """Prints the stale mutations and returns the exit code."""
    suites = {path.stem for path in (ROOT / "tests").glob("scala*/**/*.scala")}
    stale = 0
    for mutation in MUTATIONS:
        path = SOURCES / mutation.file
        found = path.read_text().count(mutation.before) if path.exists() else 0
        absent = [s for s in mutation.suites if s.rsplit(".", 1)[-1] not in suites]
        if found != 1 or absent:
            stale += 1
            print(f"STALE    {mutation.name}: found {found} times, no suite {absent}")
    print(f"{len(MUTATIONS)} mutations, {stale} stale")
    return 1 if stale else 0


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        return check()
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
