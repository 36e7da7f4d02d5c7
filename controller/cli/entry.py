"""The entry point of the command `blotlight`. It reports a missing system library in one sentence."""

import os
import signal
import sys

from sentences import say


def main() -> int:
    """Run the command line. Returns its exit status, or 1 when a system library is missing."""
    # The networks multiply small matrices: more threads would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What OpenCV prints about a file is no sentence for people; the commands say what is wrong.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    _open_closed_streams()
    _take_any_letter()
    try:
        try:
            from controller.cli.main import main as run
        except ImportError as error:
            print(f"blotlight: {say('library_missing', problem=error)}", file=sys.stderr)
            return 1
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_is_gone()
    except KeyboardInterrupt:  # while modules were imported
        print(f"blotlight: {say('stopped')}", file=sys.stderr)
        return 1
    except OSError as error:
        _forget_output()
        print(f"blotlight: {say('output_unwritable', reason=error.strerror)}", file=sys.stderr)
        return 1
    return status


def _open_closed_streams() -> None:
    """Closed standard streams lead nowhere. Otherwise the next file that is opened would get their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _take_any_letter() -> None:
    """What the terminal's encoding lacks is read and written as `?`, instead of ending the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _reader_is_gone() -> int:
    """Whoever read the output, such as `head`, has enough. Returns the status that SIGPIPE gives."""
    _forget_output()
    return 128 + signal.SIGPIPE


def _forget_output() -> None:
    """Drop what is not written yet: Python would write it at exit, and report the error again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
