"""Finds the tracks of the tray's board. Run as `python -m hardware.tray.router` after a change of parts or
places.

Tracks run on a grid of 0.25 mm on two layers. Each net takes the cheapest path. Where two nets want the same
copper both pay, more in each round, until one gives way (L. McMurchie, C. Ebeling: PathFinder, FPGA 1995).
"""

import heapq
import itertools
import sys
from collections.abc import Iterable
from math import ceil, floor, hypot

import numpy as np

from hardware.tray.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    TRACK_MM,
    VIA_MM,
    PlacedPad,
    Track,
    Via,
    placed_pads,
    write_copper,
)
from hardware.tray.measures import BOARD_X_MM, BOARD_Y_MM, HOLES_MM, PEG_HOLE_MM, PEGS_MM

GRID_MM = 0.25
VIA_COST = 8.0
"""Cost of a via, in steps of the grid."""
SCREW_HEAD_MM = 6.0
MOST_ROUNDS = 80

Cell = tuple[int, int, int]
"""Layer, column, row."""
Path = list[Cell]

GRID_COLUMNS = round((BOARD_X_MM[1] - BOARD_X_MM[0]) / GRID_MM) + 1
GRID_ROWS = round((BOARD_Y_MM[1] - BOARD_Y_MM[0]) / GRID_MM) + 1
NEIGHBOURS = [(dx, dy, hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def _disc(radius_mm: float) -> list[tuple[int, int]]:
    """The offsets of all cells whose middles are nearer to a cell's middle than this."""
    reach = ceil(radius_mm / GRID_MM)
    cells = range(-reach, reach + 1)
    return [(x, y) for x in cells for y in cells if hypot(x, y) * GRID_MM < radius_mm - 1e-9]


TRACK_TO_TRACK = _disc(TRACK_MM + CLEARANCE_MM)
TRACK_TO_VIA = _disc((TRACK_MM + VIA_MM) / 2 + CLEARANCE_MM)
VIA_TO_VIA = _disc(VIA_MM + CLEARANCE_MM)


def _mm(column: int, row: int) -> tuple[float, float]:
    return round(BOARD_X_MM[0] + column * GRID_MM, 3), round(BOARD_Y_MM[0] + row * GRID_MM, 3)


class Router:
    """The board's grid: which cells pads and edges forbid, which are taken, and what each costs by now."""

    def __init__(self, pads: list[PlacedPad]) -> None:
        self._pads = pads
        shape = (2, GRID_COLUMNS, GRID_ROWS)
        self._names = sorted({pad.net for pad in pads if pad.net})
        self._number = {name: i + 1 for i, name in enumerate(self._names)}
        # Of each cell: 0 free, n > 0 for net n only, -1 for no net.
        self._track_owner = np.zeros(shape, np.int32)
        self._via_owner = np.zeros(shape, np.int32)
        self._track_taken = np.zeros(shape, np.int32)
        self._via_taken = np.zeros(shape, np.int32)
        self._history = np.zeros(shape, np.float64)
        self._paths: dict[str, list[Path]] = {}
        self._forbid_edges()
        for pad in pads:
            self._forbid_around(pad)

    def _forbid_edges(self) -> None:
        for owner, half in ((self._track_owner, TRACK_MM / 2), (self._via_owner, VIA_MM / 2)):
            n = ceil((EDGE_MM + half) / GRID_MM)
            owner[:, :n] = owner[:, -n:] = owner[:, :, :n] = owner[:, :, -n:] = -1
            holes = [(place, SCREW_HEAD_MM / 2) for place in HOLES_MM]
            holes += [(place, PEG_HOLE_MM / 2) for place in PEGS_MM]
            for (x, y), radius in holes:
                columns, rows = np.meshgrid(range(GRID_COLUMNS), range(GRID_ROWS), indexing="ij")
                away = np.hypot(BOARD_X_MM[0] + columns * GRID_MM - x, BOARD_Y_MM[0] + rows * GRID_MM - y)
                owner[:, away < radius + EDGE_MM + half] = -1

    def _forbid_around(self, pad: PlacedPad) -> None:
        number = self._number.get(pad.net, -1)
        layers = (0, 1) if pad.hole_mm else (0,)
        for owner, half, where in (
            (self._track_owner, TRACK_MM / 2, layers),
            (self._via_owner, VIA_MM / 2, (0, 1)),
        ):
            for column, row in _cells_in(pad, CLEARANCE_MM + half - 1e-6):
                for layer in where:
                    had = owner[layer, column, row]
                    owner[layer, column, row] = number if had in (0, number) else -1
        if not pad.hole_mm:  # a via in a pad would draw off its solder
            for column, row in _cells_in(pad, VIA_MM / 2 + 0.05):
                self._via_owner[:, column, row] = -1

    def route(self) -> bool:
        """Route every net. Returns whether all of them found room."""
        order = sorted(self._names, key=lambda name: self._span_mm(name))
        for round_number in range(MOST_ROUNDS):
            price = 0.5 * 1.35 ** min(round_number, 20)
            for name in order:
                if name in self._paths:
                    self._take(name, -1)
                self._paths[name] = self._tree(name, price)
                self._take(name, 1)
            clashes = self._clashes()
            print(f"round {round_number + 1}: {len(clashes)} places are wanted twice", file=sys.stderr)
            if not clashes:
                return True
            for cell in clashes:
                self._history[cell] += 1.0
        return False

    def _span_mm(self, name: str) -> float:
        places = [pad.middle_mm for pad in self._pads if pad.net == name]
        xs, ys = zip(*places, strict=True)
        span: float = max(xs) - min(xs) + max(ys) - min(ys)
        return span * (1 if len(places) < 8 else 10)

    def _take(self, name: str, sign: int) -> None:
        for cell, is_via in _distinct_cells(self._paths[name]):
            layer, column, row = cell
            for dx, dy in TRACK_TO_VIA if is_via else TRACK_TO_TRACK:
                self._track_taken[layer, column + dx, row + dy] += sign
            for dx, dy in VIA_TO_VIA if is_via else TRACK_TO_VIA:
                self._via_taken[layer, column + dx, row + dy] += sign

    def _clashes(self) -> list[Cell]:
        found = []
        for name in self._names:
            self._take(name, -1)
            for cell, is_via in _distinct_cells(self._paths[name]):
                taken = self._via_taken if is_via else self._track_taken
                if taken[cell]:
                    found.append(cell)
            self._take(name, 1)
        return found

    def _tree(self, name: str, price: float) -> list[Path]:
        pads = [pad for pad in self._pads if pad.net == name]
        board = self._prices(self._number[name], price)
        joined, near, left = _landings(pads[0]), [pads[0]], pads[1:]
        paths = []
        while left:
            pad = min(left, key=lambda pad: min(_apart_mm(pad, other) for other in near))
            path = board.cheapest(joined, pad)
            if not path:
                raise RuntimeError(f"{name} cannot reach {pad.ref}.{pad.number}: move the parts apart")
            paths.append(path)
            left.remove(pad)
            near.append(pad)
            joined |= set(path) | _landings(pad)
        return paths

    def _prices(self, number: int, price: float) -> "Prices":
        cost = (1 + self._history) * (1 + price * self._track_taken)
        cost[(self._track_owner != 0) & (self._track_owner != number)] = np.inf
        via = VIA_COST * (1 + self._history.max(axis=0)) * (1 + price * self._via_taken.sum(axis=0))
        via[((self._via_owner != 0) & (self._via_owner != number)).any(axis=0)] = np.inf
        return Prices(cost.ravel().tolist(), via.ravel().tolist())

    def copper(self) -> tuple[list[Track], list[Via]]:
        """The tracks and vias found. Cells in a straight line become one track."""
        tracks: list[Track] = []
        vias: set[tuple[str, tuple[float, float]]] = set()
        for name in self._names:
            for path in self._paths[name]:
                tracks += _straights(name, path)
                vias |= {(name, _mm(b[1], b[2])) for a, b in itertools.pairwise(path) if a[0] != b[0]}
        return tracks, [Via(net=net, middle_mm=place) for net, place in sorted(vias)]


class Prices:
    """The cost of each cell for one net, as track and as via; infinite where the net may not go."""

    def __init__(self, track: list[float], via: list[float]) -> None:
        self._track = track
        self._via = via

    def cheapest(self, starts: set[Cell], pad: PlacedPad) -> Path:
        """The cheapest path from existing copper to a pad (A*); empty when there is none."""
        layer_size = GRID_COLUMNS * GRID_ROWS
        goals = {_index(cell) for cell in _landings(pad)}
        middle = (pad.middle_mm[0] - BOARD_X_MM[0]) / GRID_MM, (pad.middle_mm[1] - BOARD_Y_MM[0]) / GRID_MM
        reach = max(pad.size_mm) / GRID_MM
        best = {_index(cell): 0.0 for cell in starts}
        came: dict[int, int] = {}
        queue = [(0.0, index) for index in best]
        done: set[int] = set()
        while queue:
            _, index = heapq.heappop(queue)
            if index in goals:
                return _walked(index, came)
            if index in done:
                continue
            done.add(index)
            for after, cost in self._around(index, layer_size):
                total = best[index] + cost
                if total < best.get(after, np.inf):
                    best[after], came[after] = total, index
                    column, row = divmod(after % layer_size, GRID_ROWS)
                    dx, dy = abs(column - middle[0]), abs(row - middle[1])
                    still = max(0.0, max(dx, dy) + 0.414 * min(dx, dy) - 1.5 * reach)
                    heapq.heappush(queue, (total + still, after))
        return []

    def _around(self, index: int, layer_size: int) -> Iterable[tuple[int, float]]:
        for dx, dy, length in NEIGHBOURS:
            after = index + dx * GRID_ROWS + dy
            yield after, length * self._track[after]
        other = index - layer_size if index >= layer_size else index + layer_size
        yield other, self._via[index % layer_size] + self._track[other]


def _index(cell: Cell) -> int:
    return (cell[0] * GRID_COLUMNS + cell[1]) * GRID_ROWS + cell[2]


def _apart_mm(pad: PlacedPad, other: PlacedPad) -> float:
    return hypot(pad.middle_mm[0] - other.middle_mm[0], pad.middle_mm[1] - other.middle_mm[1])


def _walked(index: int, came: dict[int, int]) -> Path:
    indices = [index]
    while indices[-1] in came:
        indices.append(came[indices[-1]])
    cells = [divmod(each, GRID_ROWS) for each in reversed(indices)]
    return [(upper // GRID_COLUMNS, upper % GRID_COLUMNS, row) for upper, row in cells]


def _cells_in(pad: PlacedPad, more_mm: float) -> Iterable[tuple[int, int]]:
    """The cells whose middles lie within a pad enlarged by `more_mm` on each side."""
    (x, y), (width, height) = pad.middle_mm, pad.size_mm
    left, right = x - width / 2 - more_mm - BOARD_X_MM[0], x + width / 2 + more_mm - BOARD_X_MM[0]
    low, high = y - height / 2 - more_mm - BOARD_Y_MM[0], y + height / 2 + more_mm - BOARD_Y_MM[0]
    for column in range(max(0, ceil(left / GRID_MM)), min(GRID_COLUMNS - 1, floor(right / GRID_MM)) + 1):
        for row in range(max(0, ceil(low / GRID_MM)), min(GRID_ROWS - 1, floor(high / GRID_MM)) + 1):
            yield column, row


def _landings(pad: PlacedPad) -> set[Cell]:
    """The cells of a pad on which a track may end: well inside it."""
    layers = (0, 1) if pad.hole_mm else (0,)
    inside = list(_cells_in(pad, -0.2)) or list(_cells_in(pad, -0.1))
    return {(layer, column, row) for column, row in inside for layer in layers}


def _distinct_cells(paths: list[Path]) -> set[tuple[Cell, bool]]:
    """(cell, whether via): each cell once as track, and once more as via where the layer changes."""
    cells: set[tuple[Cell, bool]] = set()
    for path in paths:
        for cell, after in zip(path, [*path[1:], path[-1]], strict=True):
            cells.add((cell, False))
            if cell[0] != after[0]:
                cells |= {(cell, True), (after, True)}
    return cells


def _straights(name: str, path: Path) -> list[Track]:
    tracks = []
    start = path[0]
    for here, after in zip(path[1:], [*path[2:], None], strict=True):
        before_step = _step(start, here)
        if start[0] != here[0]:
            start = here
            continue
        if after is None or after[0] != here[0] or _step(here, after) != before_step:
            tracks.append(Track(net=name, layer=here[0], start_mm=_mm(*start[1:]), end_mm=_mm(*here[1:])))
            start = here
    return tracks


def _step(start: Cell, end: Cell) -> tuple[int, int]:
    dx, dy = end[1] - start[1], end[2] - start[2]
    length = max(abs(dx), abs(dy), 1)
    return dx // length, dy // length


def main() -> int:
    """Route the board and write the tracks. Returns the exit status."""
    router = Router(placed_pads())
    if not router.route():
        print("some nets still clash: give the parts more room", file=sys.stderr)
        return 1
    write_copper(*router.copper())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
