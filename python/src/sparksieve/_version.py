# SPDX-License-Identifier: Apache-2.0
"""The one place that states Sieve's version; the sbt build reads it from here."""

__version__ = "0.1.0"
