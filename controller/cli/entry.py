"""Where the command `blotlight` begins: says in one sentence what the machine lacks."""

import os
import sys


def main() -> int:
    """Run the command line; 1 when a library of the system is missing."""
    # The networks multiply small matrices: several threads would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from controller.cli.main import main as run
    except ImportError as error:
        print(
            f"blotlight: a library is missing ({error}); on Debian and Raspberry Pi OS install it with "
            "sudo apt-get install libgl1 libglib2.0-0 libsm6 libxext6",
            file=sys.stderr,
        )
        return 1
    return run()
