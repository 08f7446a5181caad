# SPDX-License-Identifier: Apache-2.0
"""Sieve for PySpark: makes Spark drop rows earlier, and never changes a result.

import sparksieve
from pyspark.sql import SparkSession

spark = sparksieve.configure(SparkSession.builder).getOrCreate()
sparksieve.report(df)
sparksieve.advise(df)
"""

from __future__ import annotations

from sparksieve._advise.advice import Advice, advise
from sparksieve._advise.types import LayoutAdvice, TableAdvice
from sparksieve._bulkfilter.leaf import Exclude, Include, ProjectionBulkFilter
from sparksieve._bulkfilter.tree import BulkFilter
from sparksieve._functions import in_file, in_table
from sparksieve._report.orders import OrderRow
from sparksieve._report.report import PlanPair, Report, ReportRow, report
from sparksieve._report.scans import Scan, ScanPredicate
from sparksieve._session import is_active
from sparksieve._setup.conf import Conf, Setting, conf
from sparksieve._setup.configure import configure
from sparksieve._setup.options import options
from sparksieve._version import __version__
from sparksieve.errors import (
    BulkFilterError,
    ConfigValueError,
    JarNotFoundError,
    JavaNotFoundError,
    NoSessionError,
    PlotError,
    RemoteServerError,
    SessionRunningError,
    SieveError,
    SieveNotActiveError,
    SparkHomeError,
    SparkNotFoundError,
    UnknownConfigError,
    UnknownConfigWarning,
    UnsupportedSparkError,
    WrongJarError,
    WrongScalaError,
)

__all__ = [
    "Advice",
    "BulkFilter",
    "BulkFilterError",
    "Conf",
    "ConfigValueError",
    "Exclude",
    "Include",
    "JarNotFoundError",
    "JavaNotFoundError",
    "LayoutAdvice",
    "NoSessionError",
    "OrderRow",
    "PlanPair",
    "PlotError",
    "ProjectionBulkFilter",
    "RemoteServerError",
    "Report",
    "ReportRow",
    "Scan",
    "ScanPredicate",
    "SessionRunningError",
    "Setting",
    "SieveError",
    "SieveNotActiveError",
    "SparkHomeError",
    "SparkNotFoundError",
    "TableAdvice",
    "UnknownConfigError",
    "UnknownConfigWarning",
    "UnsupportedSparkError",
    "WrongJarError",
    "WrongScalaError",
    "__version__",
    "advise",
    "conf",
    "configure",
    "in_file",
    "in_table",
    "is_active",
    "options",
    "report",
]
