# SPDX-License-Identifier: Apache-2.0
"""`python -m sparksieve`."""

import sys

from sparksieve.cli import main

sys.exit(main())
