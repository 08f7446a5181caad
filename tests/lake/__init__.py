# SPDX-License-Identifier: Apache-2.0
"""Random MERGEs, UPDATEs and DELETEs of lake tables, with Sieve off and on."""
