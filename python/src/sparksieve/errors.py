"""Everything that Sieve raises. Each message says what is wrong, where, and the way out."""

from __future__ import annotations


class SieveError(Exception):
    """Base of every error of this package."""


class SparkNotFoundError(SieveError):
    """There is no Spark to work with: pyspark is missing, or it carries no jars."""


class UnsupportedSparkError(SieveError):
    """The Spark line has no Sieve jar."""


class JavaNotFoundError(SieveError):
    """There is no Java, or it is older than Spark needs."""


class JarNotFoundError(SieveError):
    """The Sieve jar is not where it should be, or the file is not a Sieve jar."""


class WrongJarError(SieveError):
    """The jar was built for another Spark line than the one in use."""


class WrongScalaError(WrongJarError):
    """The jar was built for another Scala version than the Spark in use."""


class SessionRunningError(SieveError):
    """A running session (or JVM) cannot take up an extension any more."""


class RemoteServerError(SieveError):
    """The builder points at a Spark Connect server, which takes extensions only at its start."""


class SieveNotActiveError(SieveError):
    """The session runs without Sieve's extension."""


class NoSessionError(SieveError):
    """A call needs a session, none was given and none is active."""


class UnknownKnobError(SieveError, AttributeError):
    """No knob has this name. Also an `AttributeError`, as attribute access demands."""


class KnobValueError(SieveError, ValueError):
    """A knob was given a value that it does not take. Also a `ValueError`."""


class PlotError(SieveError):
    """There is nothing to draw, or nothing to draw with."""


class BulkFilterError(SieveError, ValueError):
    """A bulk filter, or its JSON, says something that has no meaning. Also a `ValueError`."""
