# SPDX-License-Identifier: Apache-2.0
"""All errors and warnings of Sieve. Each message says what is wrong, where, and how to fix it."""

from __future__ import annotations


class SieveError(Exception):
    """Base of every error of this package."""


class SparkNotFoundError(SieveError):
    """No Spark was found: pyspark is missing, or it has no jars."""


class SparkHomeError(SieveError):
    """SPARK_HOME points to a Spark of another version than the imported pyspark."""


class UnsupportedSparkError(SieveError):
    """There is no Sieve jar for the Spark line."""


class JavaNotFoundError(SieveError):
    """Java is missing, or older than Spark needs."""


class JarNotFoundError(SieveError):
    """The Sieve jar is not where it should be, or the file is not a Sieve jar."""


class WrongJarError(SieveError):
    """The jar was built for another Spark line than the one in use."""


class WrongScalaError(WrongJarError):
    """The jar was built for another Scala version than the Spark in use."""


class SessionRunningError(SieveError):
    """A running session (or JVM) cannot load an extension any more."""


class RemoteServerError(SieveError):
    """The builder points at a Spark Connect server, which loads extensions only at its start."""


class SieveNotActiveError(SieveError):
    """The session runs without Sieve's extension."""


class NoSessionError(SieveError):
    """A call needs a session, but none was given and none is active."""


class UnknownConfigError(SieveError, AttributeError):
    """No config has this name. Also an `AttributeError`, as attribute access requires."""


class ConfigValueError(SieveError, ValueError):
    """A config was set to a value that it does not accept. Also a `ValueError`."""


class UnknownConfigWarning(UserWarning):
    """A setting under `spark.sieve.` is not a config, so it has no effect."""


class PlotError(SieveError):
    """There is nothing to draw, or matplotlib is missing."""


class BulkFilterError(SieveError, ValueError):
    """A bulk filter, or its JSON, is invalid. Also a `ValueError`."""
