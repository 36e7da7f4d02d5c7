"""`python -m controller.cli` is the command `blotlight`."""

import sys

from controller.cli.entry import main

sys.exit(main())
