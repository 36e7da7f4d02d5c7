"""The files for a board maker. Run as `python -m hardware.tray.fabrication`, with KiCad 8 or later.

It writes the folder fab: gerbers, drill file, STEP model, and made-from.txt with the checksum of the board
from which they were made.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
BOARD = FOLDER / "tray.kicad_pcb"
FAB_FOLDER = FOLDER / "fab"
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,Edge.Cuts"


def drawn_from() -> str:
    """The checksum of the board, as for made-from.txt."""
    return f"{hashlib.sha256(BOARD.read_bytes()).hexdigest()}  {BOARD.name}\n"


def main() -> None:
    """Export all files. Raises SystemExit with a sentence if KiCad is not installed."""
    if shutil.which("kicad-cli") is None:
        sys.exit("kicad-cli was not found. Install KiCad 8 or later.")
    FAB_FOLDER.mkdir(exist_ok=True)
    for command in (
        ["gerbers", "--layers", LAYERS, "-o", f"{FAB_FOLDER}/"],
        ["drill", "-o", f"{FAB_FOLDER}/"],
        ["step", "--force", "--board-only", "-o", str(FAB_FOLDER / "tray.step")],
    ):
        subprocess.run(["kicad-cli", "pcb", "export", *command, str(BOARD)], check=True, capture_output=True)
    (FAB_FOLDER / "made-from.txt").write_text(drawn_from())


if __name__ == "__main__":
    main()
