"""Pictures for the six faces of a box, three by two: dice, the doubling cube, screens, writing.

The faces in order look towards +z, -z, +x, -x, -y, +y.
"""

import cv2
import numpy as np

from vision.training.scenes.looks.paint import Image
from vision.training.scenes.looks.tones import Rgb

PRINT_PX = 96
"""Width and height of a face's picture."""
DIE_FACES = (1, 6, 2, 5, 3, 4)
CUBE_NUMBERS = ("64", "2", "4", "8", "16", "32")
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Where the pips of a face lie, across and down from its middle, in units of USUAL_PIPS[1]."""
USUAL_PIPS = (0.105, 0.25)
"""A pip's radius, and how far it lies from a face's middle across and down, as shares of the face's width."""


def box_print(printed: str, colour: Rgb, second: Rgb, pips: tuple[float, float]) -> Image:
    """(2 * PRINT_PX, 3 * PRINT_PX, 3) red, green, blue from 0 to 1 (sRGB). pips: as USUAL_PIPS."""
    sheet = np.zeros((2 * PRINT_PX, 3 * PRINT_PX, 3), dtype=np.uint8)
    sheet[:] = [round(255 * c) for c in colour]
    ink = tuple(round(255 * c) for c in second)
    for index in range(6):
        x, y = index % 3 * PRINT_PX, index // 3 * PRINT_PX
        cell = np.ascontiguousarray(sheet[y : y + PRINT_PX, x : x + PRINT_PX])
        middle = PRINT_PX // 2
        if printed == "die":
            for right, down in PIPS[DIE_FACES[index]]:
                away = round(pips[1] * PRINT_PX)
                at = (middle + right * away, middle + down * away)
                cv2.circle(cell, at, round(PRINT_PX * pips[0]), ink, -1, cv2.LINE_AA)
        elif printed == "cube":
            word = CUBE_NUMBERS[index]
            scale = 2.2 if len(word) == 1 else 1.6
            (wide, tall), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, 4)
            at = (middle - wide // 2, middle + tall // 2)
            cv2.putText(cell, word, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, 4, cv2.LINE_AA)
        elif printed == "screen" and index == 0:
            cell[8:-8, 5:-5] = ink
        elif printed == "lines" and index == 0:
            for line in range(12, PRINT_PX - 8, 8):
                cv2.line(
                    cell, (10, line), (int(PRINT_PX * (0.55 + line % 5 * 0.08)), line), ink, 1, cv2.LINE_AA
                )
        sheet[y : y + PRINT_PX, x : x + PRINT_PX] = cell
    return np.asarray(sheet / np.float32(255), dtype=np.float32)
