# SPDX-License-Identifier: Apache-2.0
"""Shows that Sieve gives the same rows when parts of a real cluster fail: `./sbt cluster`."""
