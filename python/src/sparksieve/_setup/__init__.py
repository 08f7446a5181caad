# SPDX-License-Identifier: Apache-2.0
"""Configs, and how Sieve gets into a session."""
