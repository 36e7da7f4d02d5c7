"""The tray's copper measured: the distances that a board maker keeps to, and that each net is one piece.

A second opinion beside KiCad's own check, for machines without KiCad.
"""

from collections import defaultdict
from itertools import combinations

from shapely import LineString, Point, STRtree, box
from shapely.ops import unary_union

from hardware.tray.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    SPOTS,
    TRACK_MM,
    VIA_HOLE_MM,
    VIA_MM,
    placed_pads,
    read_copper,
)
from hardware.tray.measures import BOARD_X_MM, BOARD_Y_MM, HOLES_MM, PEG_HOLE_MM, PEGS_MM
from hardware.tray.netlist import COMPONENTS

BOTH = (0, 1)
OUTLINE = box(BOARD_X_MM[0], BOARD_Y_MM[0], BOARD_X_MM[1], BOARD_Y_MM[1])


def pad_shape(pad):
    (x, y), (width, height) = pad.middle_mm, pad.size_mm
    if pad.hole_mm and pad.number != "1":
        return Point(x, y).buffer(width / 2)
    return box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def copper():
    """(name of the net, layers, shape, what it is) of every piece of copper."""
    tracks, vias = read_copper()
    for pad in placed_pads():
        name = pad.net or f"{pad.ref}.{pad.number}"
        yield name, BOTH if pad.hole_mm else (0,), pad_shape(pad), f"{pad.ref}.{pad.number}"
    for track in tracks:
        line = LineString([track.start_mm, track.end_mm])
        yield track.net, (track.layer,), line.buffer(TRACK_MM / 2), f"track at {track.start_mm}"
    for via in vias:
        yield via.net, BOTH, Point(via.middle_mm).buffer(VIA_MM / 2), f"via at {via.middle_mm}"


def too_close():
    """Pieces of different nets that are nearer than the clearance."""
    pieces = list(copper())
    shapes = [shape for _, _, shape, _ in pieces]
    tree = STRtree(shapes)
    first, second = tree.query([shape.buffer(CLEARANCE_MM) for shape in shapes], predicate="intersects")
    found = []
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        (net, layers, shape, what), (other_net, other_layers, other, other_what) = pieces[i], pieces[j]
        if i < j and net != other_net and set(layers) & set(other_layers):
            apart = shape.distance(other)
            if apart < CLEARANCE_MM - 0.005:
                found.append(f"{what} ({net}) and {other_what} ({other_net}): {apart:.3f} mm")
    return found


def not_one_piece():
    """Nets whose copper falls into several pieces."""
    by_net = defaultdict(list)
    for net, layers, shape, what in copper():
        by_net[net].append((layers, shape, what))
    found = []
    for net, pieces in by_net.items():
        group = list(range(len(pieces)))

        def root(i, group=group):
            while group[i] != i:
                i = group[i]
            return i

        for i, j in combinations(range(len(pieces)), 2):
            if set(pieces[i][0]) & set(pieces[j][0]) and pieces[i][1].intersects(pieces[j][1]):
                group[root(i)] = root(j)
        if len({root(i) for i in range(len(pieces))}) > 1:
            found.append(net)
    return found


def too_near_an_edge():
    """Copper that comes too near to the outline or to a screw hole or a peg hole."""
    room = OUTLINE.buffer(-EDGE_MM, join_style="mitre")
    holes = [Point(place).buffer(1.6 + EDGE_MM) for place in HOLES_MM]
    holes += [Point(place).buffer(PEG_HOLE_MM / 2 + EDGE_MM) for place in PEGS_MM]
    return [
        what
        for _, _, shape, what in copper()
        if not room.contains(shape) or any(hole.intersects(shape) for hole in holes)
    ]


def drilled():
    """(middle, diameter) of every hole."""
    for pad in placed_pads():
        if pad.hole_mm:
            yield pad.middle_mm, pad.hole_mm
    for via in read_copper()[1]:
        yield via.middle_mm, VIA_HOLE_MM
    yield from ((place, 3.2) for place in HOLES_MM)
    yield from ((place, PEG_HOLE_MM) for place in PEGS_MM)


def holes_too_close(least_mm=0.25):
    """Holes with too little board between them."""
    return [
        (a, b)
        for (a, wide_a), (b, wide_b) in combinations(drilled(), 2)
        if Point(a).distance(Point(b)) - (wide_a + wide_b) / 2 < least_mm
    ]


def bodies():
    """Each part's outline on the board: its body by the data sheet, and its pads."""
    for component in COMPONENTS:
        spot = SPOTS[component.ref]
        length, width = spot.size(component.kind.body_mm[:2])
        body = box(
            spot.x_mm - length / 2, spot.y_mm - width / 2, spot.x_mm + length / 2, spot.y_mm + width / 2
        )
        pads = [pad_shape(pad) for pad in placed_pads((component,))]
        yield component.ref, body, unary_union([body, *pads])


def parts_that_collide():
    """Parts whose bodies or pads lie on each other."""
    return [
        (ref, other)
        for (ref, _, shape), (other, _, other_shape) in combinations(bodies(), 2)
        if shape.intersection(other_shape).area > 1e-6
    ]
