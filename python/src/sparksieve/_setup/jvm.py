# SPDX-License-Identifier: Apache-2.0
"""The Spark JVM of this process, which can run before any session (classic PySpark only)."""

from __future__ import annotations

import os
from typing import Any


class RunningJvm:
    """The JVM behind the gateway that pyspark holds."""

    def __init__(self, jvm: Any) -> None:
        self._jvm = jvm

    def has_class(self, name: str) -> bool:
        """Whether the class loader that Spark uses for extensions knows the class."""
        from py4j.protocol import Py4JJavaError

        loader = self._jvm.java.lang.Thread.currentThread().getContextClassLoader()
        try:
            loader.loadClass(name)
        except Py4JJavaError:
            return False
        return True

    def setting(self, key: str) -> str | None:
        """The value that the JVM was started with, `None` when unset."""
        value = self._jvm.java.lang.System.getProperty(key)
        return None if value is None else str(value)


def running_jvm() -> RunningJvm | None:
    """The JVM that the next session will run in, `None` when none was started yet.

    A JVM exists under spark-submit, and after a session of this process was stopped.
    """
    context = _context_class()
    if context is None:
        return None
    if context._gateway is None:
        if "PYSPARK_GATEWAY_PORT" not in os.environ:
            return None
        # Under spark-submit the JVM waits for Python; this call connects and starts no JVM.
        context._ensure_initialized()
    return RunningJvm(context._jvm)


def active_context() -> Any:
    """The `SparkContext` that runs in this process, or `None`."""
    context = _context_class()
    return None if context is None else context._active_spark_context


def _context_class() -> Any:
    import pyspark

    # A client-only pyspark has no SparkContext.
    return getattr(pyspark, "SparkContext", None)
