"""Rendered boards read place by place, each family apart: how the reader does on kinds it was not taught.

Takes the folder `boards` in the data folder, as `python -m vision.training.scenes` writes it. Corners are the
true ones: what is measured is reading alone.
"""

import json
from pathlib import Path

import cv2

from vision.networks.place_reader import ReaderNetwork
from vision.training.measure_reader import Score, board_pictures, measured


def run(data: Path | None) -> None:
    """Print a row for each family under `data`, with a reference and as single photographs."""
    folders = sorted(path.parent for path in ((data or Path()) / "boards").glob("*/labels.jsonl"))
    if not folders:
        print("no rendered boards: give --data FOLDER with boards/NUMBER/labels.jsonl in it")
        return
    cv2.setNumThreads(1)
    network = ReaderNetwork()
    for known in (True, False):
        print("known from the start position:" if known else "each picture alone:")
        families: dict[str, Score] = {}
        for folder in folders:
            name = json.loads((folder / "board.json").read_text())["family"]
            score = measured(network, board_pictures(folder), folder.name, known)
            families[name] = families.get(name, Score()) + score
        for name, score in sorted(families.items()):
            print(f"  {name}: {score}")
        print(f"  together: {sum(families.values(), Score())}")
