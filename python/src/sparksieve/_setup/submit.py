# SPDX-License-Identifier: Apache-2.0
"""Settings made outside the program before Spark starts: PYSPARK_SUBMIT_ARGS, spark-defaults.conf.

Spark's order of precedence for the JVM that pyspark launches: `--jars` of PYSPARK_SUBMIT_ARGS, then
its `--conf`, then the builder's options, then spark-defaults.conf. For settings other than jars,
the builder wins once the SparkContext is created.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

_SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"
_DEFAULT_SUBMIT_ARGS = "pyspark-shell"


class SubmitArgs:
    """The options of PYSPARK_SUBMIT_ARGS that `configure` needs.

    `conf` holds its `--conf` pairs, `jars` its `--jars` (`None`: not given), `packages` whether it
    has `--packages`, `properties_file` the file that replaces spark-defaults.conf.
    """

    def __init__(self, text: str) -> None:
        self.conf: dict[str, str] = {}
        self.jars: str | None = None
        self.packages = False
        self.properties_file: str | None = None
        #: All arguments except `--jars`, to rebuild the command line.
        self._others: list[str] = []
        tokens = iter(shlex.split(text))
        for token in tokens:
            name, has_value, value = (
                token.partition("=") if token.startswith("--") else (token, "", "")
            )
            if name == "--jars":
                self.jars = value if has_value else next(tokens, "")
                continue
            self._others.append(token)
            if name in ("--conf", "-c", "--packages", "--properties-file"):
                if not has_value:
                    value = next(tokens, "")
                    self._others.append(value)
                self._take(name, value)

    def _take(self, name: str, value: str) -> None:
        if name == "--packages":
            self.packages = True
        elif name == "--properties-file":
            self.properties_file = value
        else:
            key, _, setting = value.partition("=")
            self.conf[key] = setting

    def with_jars(self, jars: str) -> str:
        """The same arguments with `--jars` set to a comma-separated list."""
        return shlex.join(["--jars", jars, *self._others])


def submit_args() -> SubmitArgs:
    """The current options of PYSPARK_SUBMIT_ARGS."""
    return SubmitArgs(os.environ.get(_SUBMIT_ARGS) or _DEFAULT_SUBMIT_ARGS)


def set_submit_jars(jars: str) -> None:
    """Sets `--jars` in this process's PYSPARK_SUBMIT_ARGS, and keeps its other options."""
    os.environ[_SUBMIT_ARGS] = submit_args().with_jars(jars)


def read_defaults(home: Path, args: SubmitArgs) -> dict[str, str]:
    """The settings of spark-defaults.conf (or of `--properties-file`); empty when there is none."""
    if args.properties_file:
        path = Path(args.properties_file)
    else:
        path = Path(os.environ.get("SPARK_CONF_DIR") or home / "conf") / "spark-defaults.conf"
    if not path.is_file():
        return {}
    settings = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        # Java's properties format: the key ends at the first white space, "=" or ":".
        pair = re.match(r"\s*([^#!\s=:][^\s=:]*)\s*[=:]?\s*(.*?)\s*$", line)
        if pair:
            settings[pair.group(1)] = pair.group(2)
    return settings


def append_to_list(existing: str | None, item: str) -> str:
    """Appends `item` to a comma-separated list unless the list has it already."""
    parts = split_list(existing)
    return ",".join(parts if item in parts else [*parts, item])


def split_list(value: str | None) -> list[str]:
    """The non-empty parts of a comma-separated setting."""
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def first_set(values: Iterable[str | None]) -> str | None:
    """The first value that is not `None`."""
    return next((value for value in values if value is not None), None)
