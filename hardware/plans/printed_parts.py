"""The printed parts of tray and stand.

Run as `python -m hardware.plans.printed_parts` to write them as STL, with Debian's openscad. The files lie in
the folders stl, beside made-from.txt with the checksums of the drawings from which they were made.
"""

import hashlib
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

HARDWARE = Path(__file__).parents[1]
SOURCES = {"tray": ("tray.scad", "measures.scad"), "stand": ("plate.scad",)}
"""The drawings in each folder. The first one contains the parts."""
BED_MM = (220.0, 220.0, 250.0)
"""Width, depth and height that a usual printer can print, and within which all parts fit."""


@dataclass(frozen=True, kw_only=True)
class PrintedPart:
    """A part: whether it is printed upside down, and a note on how to print it.

    In its file it lies as in the tray. The slicer places it on the bed and turns it over.
    """

    name: str
    folder: str
    upside_down: bool
    note: str

    @property
    def path(self) -> Path:
        """Its STL file."""
        return HARDWARE / self.folder / "stl" / f"{self.name}.stl"


PARTS = (
    PrintedPart(
        name="block",
        folder="tray",
        upside_down=True,
        note="black, 0.1 mm layers; drill every view hole through with 0.8 mm by hand",
    ),
    PrintedPart(name="deck", folder="tray", upside_down=False, note="black"),
    PrintedPart(name="frame", folder="tray", upside_down=False, note="black"),
    PrintedPart(name="base", folder="tray", upside_down=False, note="any colour"),
    PrintedPart(name="lid", folder="tray", upside_down=True, note="any colour"),
    PrintedPart(name="tower", folder="tray", upside_down=True, note="any colour; no supports"),
    PrintedPart(name="plate", folder="stand", upside_down=False, note="any colour"),
)


def drawn_from(folder: str) -> str:
    """The checksums of the drawings of a folder, as for made-from.txt."""
    rows = [
        f"{hashlib.sha256((HARDWARE / folder / name).read_bytes()).hexdigest()}  {name}"
        for name in SOURCES[folder]
    ]
    return "\n".join(rows) + "\n"


def make(part: PrintedPart) -> bytes:
    """Render one part with OpenSCAD, as a binary STL."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "part.stl"
        source = HARDWARE / part.folder / SOURCES[part.folder][0]
        subprocess.run(
            ["openscad", "-D", f'part="{part.name}"', "-o", str(text), str(source)],
            check=True,
            capture_output=True,
        )
        return binary_stl(text.read_text())


def binary_stl(text: str) -> bytes:
    """The binary form of a text STL from OpenSCAD. It is a fifth as long."""
    numbers = [
        [float(word) for word in line.split()[-3:]]
        for line in text.splitlines()
        if line.lstrip().startswith(("facet normal", "vertex"))
    ]
    facets = [list(chain(*numbers[i : i + 4])) for i in range(0, len(numbers), 4)]
    header = b"Blotlight".ljust(80)
    return header + struct.pack("<I", len(facets)) + b"".join(struct.pack("<12fH", *f, 0) for f in facets)


def main() -> None:
    """Render all parts, and write made-from.txt."""
    for part in PARTS:
        part.path.parent.mkdir(exist_ok=True)
        part.path.write_bytes(make(part))
    for folder in SOURCES:
        (HARDWARE / folder / "stl" / "made-from.txt").write_text(drawn_from(folder))


if __name__ == "__main__":
    main()
