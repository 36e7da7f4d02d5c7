"""The entry point of the command `blotlight`. It reports a missing system library in one sentence."""

import os
import sys


def main() -> int:
    """Run the command line. Returns its exit status, or 1 when a system library is missing."""
    # The networks multiply small matrices: more threads would only wait for each other.
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
