"""Detects foreign bodies round the field (hands, arms), and the places that something hides.

The whole picture is compared with calm ones, as the field is compared with the empty board. So neither a
shadow nor a switched lamp counts as a hand.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.light_change import channel_max, channel_sum, light_on
from vision.appearance.pixel_evidence import FOREIGN_NATS, EmptyBoard
from vision.appearance.scene import CHECKER_PX, ContrastStretch, SceneImage, SceneView
from vision.appearance.upper_layers import FULL_ROW
from vision.board_reading import N_POINTS
from vision.geometry import BoardGeometry, FloatArray, Image, Map, Mask

HIDDEN_BY_HAND, HIDDEN_BY_THINGS = 0.06, 0.15
"""Share of a place that must be hidden before it is not read, with and without a hand over the board. Without
one, what looks foreign may be glare, unless it is as large as a cup; guesses."""
DICE_SIZED_KERNEL = np.ones((round(0.45 * CHECKER_PX),) * 2, np.uint8)
"""Bodies that do not hold this square of scene pixels are dice or reflections; guess."""
SURROUNDINGS_WIDTH_PX = 320
"""Width in pixels of the picture in which foreign bodies are looked for; guess."""
LEAST_BODY_SHARE = 0.00007
"""A foreign body smaller than this share of the picture is noise; guess."""
LARGEST_GLINT_SHARE = 0.012
"""After a lamp or a bump, changes smaller than this share of the picture are glints and edges; guess."""
SURROUNDINGS_LIGHT_REACH_PX = 28.0
"""Pixels of the small picture over which the light may change; guess."""
LAMP_JUMP, LAMP_JUMP_SHARE = 0.04, 0.5
"""A lamp was switched when this share of the picture changes its brightness by this share at once;
guesses."""
LAMP_GRID = (slice(None, None, 4), slice(None, None, 4))
"""The pixels that are compared for that; guess."""
BUMP_PX = 1.5
"""A camera was bumped when a corner of the field moves by so many reference pixels at once; guess."""
QUIET_LEVELS = 10
"""Pixels of the small picture that differ by no more levels have not changed; guess."""
STIRRED_SHARE = 0.1
"""A body stirs when more than this share of its pixels changes; guess."""
STAYS_MS = 60_000
"""Milliseconds after which a body that has not stirred belongs to the table, even at the edge; guess."""
PUT_DOWN_MS = 3_000
"""Milliseconds after which a body free of the picture's edge was put down there: a cup, a checker borne off.
Hands come with an arm; guess."""
KEPT_CALM_PICTURES = 3
"""Calm pictures kept: the calibrating one and the latest others; guess."""


@dataclass(kw_only=True)
class Surroundings:
    """The table and the board's frame as they look when nobody reaches over them."""

    reference_bgr: Image
    geometry: BoardGeometry
    stretch: ContrastStretch
    noise: float
    _calms: list[EmptyBoard] = field(init=False)
    _outside: Mask = field(init=False)
    _transform: FloatArray = field(init=False)
    _before: SceneImage = field(init=False)
    _quiet: Image | None = field(init=False, default=None)
    _hand: bool = field(init=False, default=False)
    _stirred: tuple[int, Mask] | None = field(init=False, default=None)
    _lies_since_ms: npt.NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        calm = self.stretch.stretched(shrunk(self.reference_bgr).astype(np.float32))
        self._outside = self._round_the_field(calm.shape[:2])
        self._calms = [self._calm(calm)]
        self._transform, self._before = np.eye(3), calm
        self._lies_since_ms = np.full(calm.shape[:2], np.inf)

    def is_unchanged(self, shrunk_bgr: Image) -> bool:
        """Whether nothing round the field differs from the last picture without a hand.

        shrunk_bgr: the picture, see `shrunk`.
        """
        if self._quiet is None:
            return False
        difference = np.asarray(cv2.absdiff(shrunk_bgr, self._quiet), dtype=np.uint8)
        change = channel_max(difference) > QUIET_LEVELS
        return _largest(change & self._outside) == 0

    def detect_hand(self, shrunk_bgr: Image, transform: FloatArray, t_ms: int) -> bool:
        """Whether something of the size of a fingertip or more reaches into the picture round the field.

        shrunk_bgr: the picture, see `shrunk`. transform: (3, 3) reference pixels to pixels of the present
        picture, when the camera was moved.
        """
        steady = self._steady(self.stretch.stretched(shrunk_bgr.astype(np.float32)), transform)
        upset = self._bumped(transform) or self._lamp_switched(steady)
        self._transform, self._before = transform, steady
        foreign = self._not_put_down(self._foreign(steady), t_ms)
        body = _largest(foreign) / foreign.size
        if upset and not self._hand and body < LARGEST_GLINT_SHARE:
            self._keep(steady)
            body = 0.0
        self._hand = body >= LEAST_BODY_SHARE
        self._quiet = None if self._hand else shrunk_bgr
        self._settle_bodies(steady, foreign, t_ms)
        return self._hand

    def _bumped(self, transform: FloatArray) -> bool:
        corners = np.array([self.geometry.corners_px]) * (
            self.reference_bgr.shape[1] / self.geometry.image_wh[0]
        )
        moved = cv2.perspectiveTransform(corners, transform) - cv2.perspectiveTransform(
            corners, self._transform
        )
        return float(np.abs(moved).max()) > BUMP_PX

    def _lamp_switched(self, steady: SceneImage) -> bool:
        now, before = (channel_sum(picture[LAMP_GRID]) for picture in (steady, self._before))
        ratio = (now + 1) / (before + 1)
        return float((np.abs(ratio - 1) > LAMP_JUMP)[self._outside[LAMP_GRID]].mean()) > LAMP_JUMP_SHARE

    def _foreign(self, steady: SceneImage) -> Mask:
        """(h, w) the pixels that no calm picture and no shadow explains."""
        foreign = self._outside
        for calm in reversed(self._calms):
            light = light_on(steady, calm.colour, self._outside, SURROUNDINGS_LIGHT_REACH_PX)
            fit: Map = calm.log_density(light.corrected(steady), light)
            foreign = foreign & (fit < FOREIGN_NATS)
            if _largest(foreign) < LEAST_BODY_SHARE * foreign.size:
                break
        return foreign

    def _not_put_down(self, foreign: Mask, t_ms: int) -> Mask:
        """The foreign pixels without bodies that have lain free of the picture's edge for long."""
        free = _free_of_the_edge(foreign)
        since = np.where(free, np.minimum(self._lies_since_ms, t_ms), np.inf)
        self._lies_since_ms = np.where(self._lies_since_ms < t_ms - PUT_DOWN_MS, self._lies_since_ms, since)
        return foreign & (self._lies_since_ms > t_ms - PUT_DOWN_MS)

    def _settle_bodies(self, steady: SceneImage, foreign: Mask, t_ms: int) -> None:
        """Keep the picture as calm when a body has not stirred for long."""
        if not self._hand:
            self._stirred = None
        elif self._stirred is None or (self._stirred[1] ^ foreign).sum() > STIRRED_SHARE * foreign.sum():
            self._stirred = (t_ms, foreign)
        elif t_ms - self._stirred[0] > STAYS_MS:
            self._keep(steady)

    def _keep(self, steady: SceneImage) -> None:
        self._calms = [*self._calms[:1], *self._calms[1:][-(KEPT_CALM_PICTURES - 2) :], self._calm(steady)]
        self._stirred = None

    def _calm(self, steady: SceneImage) -> EmptyBoard:
        return EmptyBoard.from_scene(steady, np.ones(steady.shape[:2], dtype=bool), self.noise)

    def _steady(self, seen: SceneImage, transform: FloatArray) -> SceneImage:
        """The picture as an unmoved camera would have seen it."""
        height, width = seen.shape[:2]
        shrink = width / self.reference_bgr.shape[1]
        scale = np.diag([shrink, shrink, 1.0])
        moved = scale @ transform @ np.linalg.inv(scale)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        edge = cv2.BORDER_REPLICATE
        return np.asarray(
            cv2.warpPerspective(seen, moved, (width, height), flags=flags, borderMode=edge), np.float32
        )

    def _round_the_field(self, size: tuple[int, ...]) -> Mask:
        height, width = size
        mask = np.ones((height, width), dtype=np.uint8)
        beyond = self.geometry.diameter / 3
        edge = [(-beyond, -beyond), (1 + beyond, -beyond), (1 + beyond, 1 + beyond), (-beyond, 1 + beyond)]
        for at_height in (0.0, 2 * self.geometry.top_height):
            corners = self.geometry.to_px(edge, at_height) * width / self.geometry.image_wh[0]
            cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), (0,))
        return mask > 0


def _largest(foreign: Mask) -> int:
    """Pixels of the largest connected body, hairlines removed."""
    if not foreign.any():
        return 0
    solid = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(solid)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0


def _free_of_the_edge(foreign: Mask) -> Mask:
    """The pixels of bodies that do not touch the picture's edge."""
    count, labels = cv2.connectedComponents(foreign.astype(np.uint8))
    free = np.ones(count, dtype=bool)
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        free[edge] = False
    return np.asarray(free[labels] & foreign, dtype=np.bool_)


def shrunk(image_bgr: Image) -> Image:
    """A picture at the width at which hands are looked for."""
    height, width = image_bgr.shape[:2]
    size = (SURROUNDINGS_WIDTH_PX, round(height * SURROUNDINGS_WIDTH_PX / width))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def occluded_places(view: SceneView, foreign: Mask, share: float) -> frozenset[int]:
    """The places (0 to 23, and 24 for the bar) of which bodies larger than dice hide more than a share.

    foreign: (H, W) pixels of the scene that show something else than they should.
    """
    whole = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, DICE_SIZED_KERNEL)
    body = cv2.dilate(whole, np.ones((5, 5), np.uint8))
    if not body.any():
        return frozenset()
    parts = (body[part] for part in _parts(view))
    return frozenset(place for place, part in enumerate(parts) if part.size and part.mean() > share)


def _parts(view: SceneView) -> list[tuple[slice, slice]]:
    """The part of the scene of each place: points a checker wide and five checkers long, then the bar."""
    reach, length = CHECKER_PX // 2, FULL_ROW * CHECKER_PX
    parts = []
    for place in range(N_POINTS):
        x, y = (round(float(value)) for value in view.base_xy(place))
        rows = slice(max(0, y), y + length) if place < N_POINTS // 2 else slice(max(0, y - length), y)
        parts.append((rows, slice(max(0, x - reach), x + reach)))
    (left, top), (right, bottom) = view.scene_xy([(view.geometry.bar[0], 0.0), (view.geometry.bar[1], 1.0)])
    return [*parts, (slice(round(top), round(bottom)), slice(round(left), round(right)))]
