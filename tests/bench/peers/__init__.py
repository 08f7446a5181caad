# SPDX-License-Identifier: Apache-2.0
"""`./sbt "bench peers"`: measures Sieve beside other engines."""
