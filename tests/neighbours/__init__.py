# SPDX-License-Identifier: Apache-2.0
"""Sieve beside other extensions, in both orders: `./sbt neighbours`."""
