# SPDX-License-Identifier: Apache-2.0
"""Folders of the demo's cache, which are complete or not there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def complete(folder: Path) -> Iterator[Path]:
    """A folder to write to, which is renamed to ``folder`` when the block ends without an error."""
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
    try:
        yield part
        # mkdtemp creates a folder that only its owner may enter, but a cache may be shared.
        part.chmod(0o755)
        os.rename(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
