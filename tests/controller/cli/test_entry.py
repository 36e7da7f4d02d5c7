"""The command on a machine that lacks what OpenCV wants."""

import subprocess
import sys

from tests.paths import ROOT


def run_with_cv2(folder, text):
    """Run the command where the file of OpenCV holds this text."""
    (folder / "cv2.py").write_text(text)
    paths = [str(folder), str(ROOT)]
    script = f"import sys; sys.path[:0] = {paths}; from controller.cli.entry import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def test_a_missing_system_library_is_said_in_one_sentence(tmp_path):
    run = run_with_cv2(tmp_path, "raise ImportError('libGL.so.1: cannot open shared object file')")
    assert run.stderr.count("\n") == 1
    assert "libGL.so.1" in run.stderr
    assert "libgl1" in run.stderr


def test_ctrl_c_while_libraries_are_loaded_stops_as_later(tmp_path):
    run = run_with_cv2(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    assert (run.returncode, run.stderr) == (1, "blotlight: Stopped.\n")
