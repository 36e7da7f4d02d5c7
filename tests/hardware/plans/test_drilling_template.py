"""The drilling template, measured."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from hardware.plans.drilling_template import PAGE_MM, page_svgs, whole_svg
from hardware.plans.rails import Rails, holes
from tests.paths import ROOT

BOARD = Rails(field_mm=(500, 430), bar_mm=38, tray_mm=48)
SVG = "{http://www.w3.org/2000/svg}"


def circles_mm(svg):
    """The middles of the circles in millimetres from the sheet's corner, as a printer would draw them."""
    root = ElementTree.fromstring(svg)
    x, y, width, height = map(float, root.get("viewBox").split())
    scale_x = float(root.get("width").removesuffix("mm")) / width
    scale_y = float(root.get("height").removesuffix("mm")) / height
    return [
        ((float(c.get("cx")) - x) * scale_x, (float(c.get("cy")) - y) * scale_y)
        for c in root.iter(f"{SVG}circle")
    ]


def test_the_points_of_a_500_mm_board_are_where_they_belong():
    # a point is (500 - 38) / 12 = 38.5 mm wide
    by_place = {hole.place: hole for hole in holes(BOARD)}
    assert by_place[0].x_mm == pytest.approx(19.25)
    assert by_place[5].x_mm == pytest.approx(211.75)
    assert by_place[24].x_mm == pytest.approx(250)
    assert by_place[6].x_mm == pytest.approx(288.25)
    assert by_place[23].x_mm == pytest.approx(480.75)
    assert by_place[27].x_mm == pytest.approx(524)
    assert (by_place[0].y_mm, by_place[23].y_mm) == (-8, 438)
    assert len(by_place) == 28


def test_on_paper_each_hole_is_within_half_a_millimetre_of_its_place():
    drawn = circles_mm(whole_svg(BOARD))
    assert len(drawn) == 28
    for (x, y), hole in zip(drawn, holes(BOARD), strict=True):
        assert x == pytest.approx(hole.x_mm + 10, abs=0.5)
        assert y == pytest.approx(hole.y_mm + 26, abs=0.5)


def test_every_hole_is_whole_on_some_a4_sheet():
    whole = set()
    for _, svg in page_svgs(BOARD):
        root = ElementTree.fromstring(svg)
        width, height = (float(root.get(name).removesuffix("mm")) for name in ("width", "height"))
        assert width <= PAGE_MM[0]
        assert height <= PAGE_MM[1]
        for i, (x, y) in enumerate(circles_mm(svg)):
            if 5 <= x <= width - 5 and 5 <= y <= height - 5:
                whole.add(i)
    assert whole == set(range(28))


def test_every_sheet_has_a_whole_rule_of_100_mm():
    for _, svg in [("", whole_svg(BOARD)), *page_svgs(BOARD)]:
        root = ElementTree.fromstring(svg)
        left, top, width, height = map(float, root.get("viewBox").split())
        rules = re.findall(r'd="M(\S+) (\S+) h100', svg)
        assert any(left <= float(x) <= left + width - 100 and top < float(y) < top + height for x, y in rules)
        assert float(root.get("width").removesuffix("mm")) == width


def test_a_board_without_a_tray_has_26_holes():
    assert len(holes(Rails(field_mm=(400, 300), bar_mm=0, tray_mm=0))) == 26


@pytest.mark.parametrize(
    "wrong", [{"bar_mm": 500}, {"bar_mm": -1}, {"tray_mm": -20}, {"hole_mm": 20}, {"field_mm": (500, 0)}]
)
def test_measures_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError):
        Rails(**{"field_mm": (500, 430), "bar_mm": 38, **wrong})


def test_the_command_makes_its_folder_and_writes_sheets_and_cables(tmp_path):
    command = [sys.executable, "-m", "hardware.plans.drilling_template", "--field", "500x430", "--bar", "38"]
    folder = tmp_path / "not" / "there" / "yet"
    subprocess.run([*command, "--out", str(folder)], check=True, cwd=ROOT)
    names = sorted(path.name for path in folder.iterdir())
    assert names[:3] == ["cables.md", "stand.svg", "template-lower-1.svg"]
    assert "template.svg" in names
    assert all(re.search(r'width="[\d.]+mm"', path.read_text()) for path in folder.glob("template*.svg"))
    assert "| patch cable |" in (folder / "cables.md").read_text()
