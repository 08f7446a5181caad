# SPDX-License-Identifier: Apache-2.0
"""Nested include and exclude filters over files of values."""
