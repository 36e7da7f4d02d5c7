"""The stand's drawing: to scale, with the lengths of the cables, and no word over anything drawn."""

from xml.etree import ElementTree

import pytest

from hardware.plans.cables import board_of, cables, camera_height_mm
from hardware.plans.camera_stand import LENSES
from hardware.plans.rails import Rails
from hardware.plans.stand_drawing import LETTERS_MM, stand_svg
from tests.paths import ROOT

BOARD = Rails(field_mm=(500, 430), bar_mm=38, tray_mm=48)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg):
    root = ElementTree.fromstring(svg)
    boxes = [
        tuple(float(rect.get(name)) for name in ("x", "y", "width", "height"))
        for rect in root.iter(f"{SVG}rect")
    ]
    words = [(float(text.get("x")), float(text.get("y")), text.text) for text in root.iter(f"{SVG}text")]
    return root, boxes[1:], words


def test_the_page_shows_the_drawing_of_the_example():
    kept = ROOT / "hardware" / "stand" / "stand.svg"
    assert kept.read_text() == stand_svg(BOARD, camera_height_mm(BOARD))


@pytest.mark.parametrize("lens", LENSES[:2], ids=lambda lens: lens.name)
def test_board_and_lens_are_to_scale(lens):
    height_mm = camera_height_mm(BOARD, lens)
    _, boxes, _ = drawn(stand_svg(BOARD, height_mm))
    assert (-board_of(BOARD).depth_mm / 2, 0, board_of(BOARD).depth_mm, 40) in boxes
    lens_box = next(box for box in boxes if box[2:] == (24, 24))
    assert lens_box[1] + 24 == pytest.approx(-height_mm, abs=0.5)


@pytest.mark.parametrize("height_mm", [400, 850])
def test_the_words_say_the_lengths_and_lie_on_nothing(height_mm):
    root, boxes, words = drawn(stand_svg(BOARD, height_mm))
    said = " ".join(text for _, _, text in words)
    for cable in cables(BOARD, height_mm)[1:4]:
        assert f"{cable.length_mm / 1000:.2f} m" in said
    left, _, width, _ = map(float, root.get("viewBox").split())
    for x, y, text in words:
        assert x + len(text) * LETTERS_MM * 0.52 < left + width, text
        assert not any(
            bx < x + 400 and x < bx + bw and by < y and y - LETTERS_MM < by + bh for bx, by, bw, bh in boxes
        )
