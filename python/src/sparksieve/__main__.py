"""`python -m sparksieve`."""

import sys

from sparksieve.cli import main

sys.exit(main())
