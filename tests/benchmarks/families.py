"""Rendered boards read place by place, with a score for each family: how well the reader does on new kinds.

Needs the folder `boards` in the data folder, as `python -m vision.training.scenes` writes it. The true
corners are given, so that only reading is measured.
"""

import json
from pathlib import Path

import cv2

from vision.networks.place_reader import ReaderNetwork
from vision.training.measure_reader import Score, board_pictures, measured


def run(data: Path | None) -> None:
    """Print a row for each family under `data`: known from a start position, and as single photographs."""
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
