"""The printed parts: closed bodies that a usual printer can make, and that fit together round the board."""

import importlib.util
import os
import shutil
from itertools import combinations
from math import cos, radians

import pytest

from hardware.plans.printed_parts import BED_MM, PARTS, SOURCES, drawn_from, make
from hardware.tray.layout import SPOTS
from hardware.tray.measures import (
    BOARD_X_MM,
    BOARD_Y_MM,
    FRONT_HOLES_MM,
    HOLES_MM,
    PEG_HOLE_MM,
    PEGS_MM,
    TRAY,
    view_holes_mm,
)
from hardware.tray.netlist import COMPONENTS
from hardware.tray.parts import NANO, TEST_PAD
from tests.peers import require_peer

ROOM_MM3 = 0.02
"""Bodies that touch share no more than this, from rounding."""
TRAY_PARTS = [part for part in PARTS if part.folder == "tray"]
each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)


@pytest.fixture(scope="module")
def trimesh():
    for name in ("trimesh", "manifold3d"):
        require_peer(importlib.util.find_spec(name), f"the Python package {name}")
    import trimesh

    return trimesh


@pytest.fixture(scope="module")
def manifold(trimesh):
    import manifold3d

    return manifold3d


def mesh(trimesh, part):
    found = trimesh.load(part.path)
    found.merge_vertices()
    return found


def solid(manifold, found):
    """A mesh as a solid that can be cut with others."""
    import numpy as np

    return manifold.Manifold(
        manifold.Mesh(np.asarray(found.vertices, np.float32), np.asarray(found.faces, np.uint32))
    )


@pytest.mark.parametrize("folder", SOURCES)
def test_the_files_were_made_from_the_drawings_as_they_are(folder):
    made_from = (PARTS[0].path.parents[2] / folder / "stl" / "made-from.txt").read_text()
    assert made_from == drawn_from(folder), "run python -m hardware.plans.printed_parts"


@pytest.mark.skipif("BLOTLIGHT_PROOF" not in os.environ, reason="a minute of OpenSCAD: make proof")
@each_part
def test_openscad_draws_the_same_body_again(part, trimesh, manifold, tmp_path):
    require_peer(shutil.which("openscad"), "Debian's package openscad")
    again = tmp_path / "again.stl"
    again.write_bytes(make(part))
    fresh = trimesh.load(again)
    fresh.merge_vertices()
    kept = mesh(trimesh, part)
    assert fresh.volume == pytest.approx(kept.volume, rel=1e-4)
    assert (solid(manifold, fresh) - solid(manifold, kept)).volume() < ROOM_MM3


@each_part
def test_every_part_is_one_closed_body_that_fits_the_printer(part, trimesh, manifold):
    found = mesh(trimesh, part)
    assert found.is_watertight
    assert found.is_winding_consistent
    assert len(solid(manifold, found).decompose()) == 1
    assert found.volume > 0
    assert all(size <= bed for size, bed in zip(found.extents, BED_MM, strict=True))


def on_the_bed(found, part):
    """The mesh as it is printed: z upwards from the bed."""
    import numpy as np

    turned = found.copy()
    if part.upside_down:
        turned.apply_transform(np.diag([1.0, -1.0, -1.0, 1.0]))
    turned.apply_translation([0, 0, -turned.bounds[0][2]])
    return turned


def patches(found, chosen):
    """The chosen faces in groups that hang together."""
    group = {int(face): int(face) for face in chosen.nonzero()[0]}

    def root(face):
        while group[face] != face:
            face = group[face]
        return face

    for one, other in found.face_adjacency[chosen[found.face_adjacency].all(axis=1)].tolist():
        group[root(one)] = root(other)
    together = {}
    for face in group:
        together.setdefault(root(face), []).append(face)
    return list(together.values())


@each_part
def test_every_part_prints_without_supports(part, trimesh):
    """Faces that look down more steeply than 45 degrees are on the bed or are small bridges."""
    found = on_the_bed(mesh(trimesh, part), part)
    down = found.face_normals[:, 2] < -cos(radians(44))
    above = found.triangles_center[:, 2] > 0.05
    hanging = down & above
    for faces in patches(found, hanging):
        corners = found.vertices[found.faces[faces].ravel()][:, :2]
        narrow = min(corners.max(axis=0) - corners.min(axis=0))
        assert narrow <= 12, (part.name, corners.min(axis=0), corners.max(axis=0))


@each_part
def test_every_part_stands_on_the_bed_with_a_broad_foot(part, trimesh):
    found = on_the_bed(mesh(trimesh, part), part)
    flat = (found.triangles_center[:, 2] < 0.05) & (found.face_normals[:, 2] < -0.99)
    assert found.area_faces[flat].sum() > 400


def test_the_tower_is_printed_on_its_rim(trimesh):
    tower = next(part for part in PARTS if part.name == "tower")
    assert on_the_bed(mesh(trimesh, tower), tower).extents[2] == pytest.approx(118, abs=1)


def cuboid(manifold, size, at):
    return manifold.Manifold.cube(size).translate(at)


def board(manifold):
    """The circuit board with its holes."""
    width, depth = BOARD_X_MM[1] - BOARD_X_MM[0], BOARD_Y_MM[1] - BOARD_Y_MM[0]
    found = cuboid(manifold, (width, depth, TRAY.board_mm), (BOARD_X_MM[0], BOARD_Y_MM[0], -TRAY.board_mm))
    for places, across in ((HOLES_MM, 3.2), (PEGS_MM, PEG_HOLE_MM)):
        for x, y in places:
            found -= manifold.Manifold.cylinder(4, across / 2, across / 2, 48).translate((x, y, -3))
    return found


def components(manifold):
    """Every part on the board as a box of its data sheet's size."""
    for component in COMPONENTS:
        if component.kind is TEST_PAD:
            continue
        spot = SPOTS[component.ref]
        length, width = spot.size(component.kind.body_mm[:2])
        size = (length, width, component.kind.body_mm[2])
        at = (spot.x_mm - length / 2, spot.y_mm - width / 2, 0.001)
        yield component.ref, cuboid(manifold, size, at)
        if component.kind is NANO:  # its pins stand out below the board
            for pad in component.kind.pads:
                x, y = spot.at(pad.x_mm, pad.y_mm)
                yield f"pin {pad.number}", cuboid(manifold, (1, 1, 2), (x - 0.5, y - 0.5, -TRAY.board_mm - 2))


def things(trimesh, manifold):
    """Everything that is in the tray, by name."""
    yield "board", board(manifold)
    yield from components(manifold)
    edge = TRAY.pane_edge_mm
    for i, x in enumerate(TRAY.well_middles_mm, 1):
        at = (x - edge / 2, -edge / 2, TRAY.pane_bottom_mm)
        yield f"pane {i}", cuboid(manifold, (edge, edge, TRAY.pane_mm), at)
        die = TRAY.die.edge_mm
        yield f"die {i}", cuboid(manifold, (die,) * 3, (x - die / 2, -die / 2, TRAY.pane_top_mm))
    for i, (x, y) in enumerate(FRONT_HOLES_MM, 1):
        screw = manifold.Manifold.cylinder(17, 1.3, 1.3, 24).translate((x, y, -5 + 0.01))
        head = manifold.Manifold.cylinder(3, 2.75, 2.75, 24).translate((x, y, TRAY.pane_top_mm + 3.51))
        yield f"screw {i}", screw + head
    for part in TRAY_PARTS:
        yield part.name, solid(manifold, mesh(trimesh, part))


def test_nothing_in_the_tray_collides(trimesh, manifold):
    found = list(things(trimesh, manifold))
    assert len(found) > 100
    assert all(body.volume() > 0 for _, body in found)
    clashes = [
        (name, other, round(shared, 3))
        for (name, body), (other, other_body) in combinations(found, 2)
        if (shared := (body ^ other_body).volume()) > ROOM_MM3
    ]
    assert clashes == []


def cut_through_the_block(trimesh, manifold, height):
    """The outlines (n, 2) of the light block at a height."""
    block = next(part for part in PARTS if part.name == "block")
    return solid(manifold, mesh(trimesh, block)).slice(height).to_polygons()


def test_the_light_block_hides_each_sensor_from_each_led(trimesh, manifold):
    """Walls stand between the hollows: each is a hole of its own in the block."""
    outlines = cut_through_the_block(trimesh, manifold, 0.75)
    # 2 wells of 18 hollows, 4 screw holes, 2 hollows over resistors, and the outline
    assert len(outlines) == 2 * 18 + 4 + 2 + 1


def test_the_view_holes_are_where_the_optics_want_them(trimesh, manifold):
    middles = [outline.mean(axis=0) for outline in cut_through_the_block(trimesh, manifold, 3.4)]
    assert len(middles) == 2 * 18 + 4 + 1
    for x in TRAY.well_middles_mm:
        for hole_x, hole_y in view_holes_mm():
            assert min(abs(m[0] - x - hole_x) + abs(m[1] - hole_y) for m in middles) < 0.1
