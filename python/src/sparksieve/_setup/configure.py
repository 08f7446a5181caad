# SPDX-License-Identifier: Apache-2.0
"""Adding Sieve to a session that is about to start."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sparksieve._session import EXTENSION, is_active, is_connect
from sparksieve._setup.install import (
    SparkInstall,
    check_spark_home,
    find_install,
    line_of,
    pyspark_version,
    scala_of,
)
from sparksieve._setup.jars import bundled_jar, check_jar
from sparksieve._setup.java import require_java
from sparksieve._setup.jvm import RunningJvm, active_context, running_jvm
from sparksieve._setup.submit import (
    SubmitArgs,
    append_to_list,
    first_set,
    read_defaults,
    set_submit_jars,
    split_list,
    submit_args,
)
from sparksieve._setup.unknown_configs import warn_of_unknown
from sparksieve.errors import (
    JarNotFoundError,
    RemoteServerError,
    SessionRunningError,
    SparkNotFoundError,
    WrongJarError,
    WrongScalaError,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXTENSIONS = "spark.sql.extensions"
_JARS = "spark.jars"
_PACKAGES = "spark.jars.packages"


def configure(
    builder: SparkSession.Builder,
    *,
    jar: str | os.PathLike[str] | None = None,
    spark_version: str | None = None,
    scala_version: str | None = None,
) -> SparkSession.Builder:
    """Adds Sieve to a session builder: its jar and its extension.

    Both are appended to what the builder, PYSPARK_SUBMIT_ARGS and spark-defaults.conf set already.
    If PYSPARK_SUBMIT_ARGS sets jars, or any of the three sets packages, the jar is appended to
    `--jars` in this process's PYSPARK_SUBMIT_ARGS (and to `spark.jars`, if the builder sets it),
    because otherwise one list of jars would overwrite another.

    Args:
        builder: `SparkSession.builder`, with any options.
        jar: path (or a URI that Spark can fetch) of the jar, instead of the one in this package.
        spark_version: the Spark version, such as "4.1", if its jars are not on this machine.
        scala_version: the Scala version, such as "2.13", in the same case.

    Returns:
        The same builder. It is unchanged if the running session already has Sieve (for example
        when a notebook cell runs twice).

    Raises:
        SessionRunningError: a session or JVM without Sieve runs already.
        RemoteServerError: the builder points at a Spark Connect server.
        UnsupportedSparkError, WrongScalaError, WrongJarError: there is no jar for this Spark, or
            the jar or an argument is for another Spark or Scala.
        JarNotFoundError: the jar is missing.
        JavaNotFoundError: Java is missing or too old.
        SparkNotFoundError: pyspark is missing or has no jars.
        SparkHomeError: SPARK_HOME points to a Spark of another line than the imported pyspark.

    Warns:
        UnknownConfigWarning: a setting under `spark.sieve.` is not a config.
    """
    pyspark_version()
    options: dict[str, Any] = getattr(builder, "_options", {})
    args = submit_args()
    warn_of_unknown([*options, *args.conf])
    if _session_has_sieve():
        return builder
    _refuse_remote(options)
    jvm = running_jvm()
    if jvm is not None:
        return _configure_in(jvm, builder, options)

    install = _install_or_none(spark_version, scala_version)
    line, scala = _target(install, spark_version, scala_version)
    if install:
        check_spark_home(install)
    path = _choose_jar(jar, line, scala)
    require_java(line)

    defaults = read_defaults(install.home, args) if install else {}
    warn_of_unknown(defaults)
    extensions = first_set(source.get(_EXTENSIONS) for source in (options, args.conf, defaults))
    builder.config(_EXTENSIONS, append_to_list(extensions, EXTENSION))
    _add_jar(builder, options, args, defaults, path)
    return builder


def _session_has_sieve() -> bool:
    """True if the session in this process has Sieve; raises if it runs without Sieve."""
    from pyspark.sql import SparkSession

    context = active_context()
    session = SparkSession.getActiveSession()
    if session is not None and is_active(session):
        return True
    if session is None:
        if context is None:
            return False
        if EXTENSION in split_list(context.getConf().get(_EXTENSIONS)):
            # The context was started with Sieve, and this thread has no session yet.
            return True
    elif is_connect(session):
        raise SessionRunningError(
            "A Spark Connect session without Sieve is running in this process. The server has to "
            f"be started with Sieve's jar and {_EXTENSIONS}={EXTENSION}; there is nothing to "
            "configure on the client."
        )
    raise SessionRunningError(
        "A Spark session without Sieve is running, and Spark loads jars and extensions only "
        "when a session starts. Call sparksieve.configure before the first getOrCreate(): stop "
        "this session, restart Python (or the notebook kernel), and configure first. In a pyspark "
        "shell or under spark-submit, start it with --jars <the jar that `python -m sparksieve "
        f"jar` prints> --conf {_EXTENSIONS}={EXTENSION}."
    )


def _refuse_remote(options: dict[str, Any]) -> None:
    url = str(options.get("spark.remote") or os.environ.get("SPARK_REMOTE") or "")
    # "local[*]" starts a Connect server in this process, which takes the builder's options.
    if url.startswith("sc://"):
        raise RemoteServerError(
            f"The session would connect to the Spark Connect server {url}, and a server loads "
            "extensions only when it starts: start it with --jars <the jar that `python -m "
            f"sparksieve jar` prints> --conf {_EXTENSIONS}={EXTENSION}. The client needs no "
            "configuration; sparksieve.is_active(spark) shows whether the server has Sieve."
        )


def _configure_in(
    jvm: RunningJvm, builder: SparkSession.Builder, options: dict[str, Any]
) -> SparkSession.Builder:
    """Configures for a JVM without a session: under spark-submit, or after `spark.stop()`."""
    if not jvm.has_class(EXTENSION):
        raise SessionRunningError(
            "Spark's JVM was started already (by spark-submit, or by an earlier session of this "
            "process) without Sieve's jar, and nothing can be added to its class path. Under "
            "spark-submit pass --jars <the jar that `python -m sparksieve jar` prints>; otherwise "
            "restart Python (or the notebook kernel) and call sparksieve.configure before the "
            "first session."
        )
    extensions = first_set([options.get(_EXTENSIONS), jvm.setting(_EXTENSIONS)])
    builder.config(_EXTENSIONS, append_to_list(extensions, EXTENSION))
    return builder


def _install_or_none(spark_version: str | None, scala_version: str | None) -> SparkInstall | None:
    if spark_version and scala_version:
        try:
            return find_install()
        except SparkNotFoundError:
            return None
    return find_install()


def _target(
    install: SparkInstall | None, spark_version: str | None, scala_version: str | None
) -> tuple[str, str]:
    """The Spark line and Scala version to use; arguments must agree with the installation."""
    line = line_of(spark_version or (install.spark_version if install else ""))
    scala = scala_of(scala_version or (install.scala if install else ""), line)
    if install and line != install.line:
        raise WrongJarError(
            f"The argument spark_version={spark_version!r} does not match the Spark in use "
            f"({install.home}), which is {install.spark_version}. Leave the argument out, or "
            f"install pyspark {line}."
        )
    if install and scala != install.scala:
        raise WrongScalaError(
            f"The argument scala_version={scala_version!r} does not match the Spark in use "
            f"({install.home}), which runs on Scala {install.scala}. Leave the argument out."
        )
    return line, scala


def _choose_jar(jar: str | os.PathLike[str] | None, line: str, scala: str) -> str:
    if jar is None:
        path = bundled_jar(line, scala)
    else:
        text = os.fspath(jar)
        if "://" in text and not text.startswith("file://"):
            # Spark fetches this jar (hdfs, s3a, …), so it cannot be checked here.
            return text
        if "," in text:
            raise JarNotFoundError(f"The argument jar accepts one path, not a list: {text}")
        path = Path(text[len("file://") :] if text.startswith("file://") else text)
        path = path.expanduser().absolute()
    check_jar(path, line, scala)
    return str(path)


def _add_jar(
    builder: SparkSession.Builder,
    options: dict[str, Any],
    args: SubmitArgs,
    defaults: dict[str, str],
    path: str,
) -> None:
    """Adds the jar where the launcher will find it, and keeps jars that others added."""
    of_submit = first_set([args.jars, args.conf.get(_JARS)])
    jars = first_set([of_submit, options.get(_JARS), defaults.get(_JARS)])
    packages = args.packages or any(
        source.get(_PACKAGES) for source in (options, args.conf, defaults)
    )
    # The launcher merges packages into spark.jars, and there PYSPARK_SUBMIT_ARGS overrides the
    # builder. But the builder's spark.jars overwrites the merged list in the SparkContext, so
    # executors would miss the other jars. Here the jar is therefore added to the launcher's
    # arguments.
    by_launcher = packages or of_submit is not None
    if by_launcher:
        set_submit_jars(append_to_list(jars, path))
    if not by_launcher:
        builder.config(_JARS, append_to_list(jars, path))
    elif options.get(_JARS):
        builder.config(_JARS, append_to_list(options[_JARS], path))
