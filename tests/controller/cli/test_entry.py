"""The command on a machine that lacks what OpenCV wants."""

import subprocess
import sys

from tests.paths import ROOT


def test_a_missing_system_library_is_said_in_one_sentence(tmp_path):
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
    paths = [str(tmp_path), str(ROOT)]
    script = f"import sys; sys.path[:0] = {paths}; from controller.cli.entry import main; main()"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.stderr.count("\n") == 1
    assert "libGL.so.1" in run.stderr
    assert "libgl1" in run.stderr
