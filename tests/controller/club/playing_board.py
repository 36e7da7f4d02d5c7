"""A board that plays until it is killed: `python -m tests.controller.club.playing_board FOLDER LINK`.

It prints how many rows it has written, after each one.
"""

import sys
import time
from pathlib import Path

from controller.club.wire.club_link import load_link
from tests.controller.club.simulated_boards import SimulatedBoard


def main(folder, link):
    board = SimulatedBoard(Path(folder), load_link(Path(link)), resumed=True)
    board.come()
    while True:
        board.play()
        print(len(board.wrote), flush=True)
        time.sleep(0.01)


if __name__ == "__main__":
    main(*sys.argv[1:])
