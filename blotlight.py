"""`python -m blotlight` is the command `blotlight`."""

import sys

from controller.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
