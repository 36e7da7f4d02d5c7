"""Counts the checkers on full rows, and remembers the rows.

A row that has not changed is not examined again. Of a row that has changed, the change itself shows how many
checkers were laid on it or taken off.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from vision.appearance.checker_faces import (
    FaceStrip,
    inward_sign,
    ring_scores,
    row_to_scene,
    scene_to_row,
    spot_levels,
)
from vision.appearance.scene import SceneView
from vision.appearance.upper_layers import RowFaces, layers_if_piled, log_odds_against_more, log_odds_of_more
from vision.geometry import FloatArray, Image
from vision.read.face_sizes import FaceCut
from vision.read.row_changes import SeenRow

BLURRED_FACE_SCORES = (0.25, 0.5)
"""Ring scores of clear faces at which a row has no weight, and from which on full weight; guesses."""
SAME_STRIP_LEVELS = 10.0
"""A strip is unchanged when no spot of it differs by more levels than this; guess."""
MOST_CHANGE_NATS = 6.0
"""Greatest log-odds that a row by itself gives for a change, in nats; guess."""
WRONG_MEMORY_SHARE = 0.03
"""Probability that what was remembered of a row is all wrong; guess."""


@dataclass(frozen=True, kw_only=True)
class ClearRow:
    """A row that was seen clearly, and the log-odds of further checkers on it then."""

    row: SeenRow
    odds: FloatArray

    def updated(self, row: SeenRow, odds: FloatArray) -> FloatArray:
        """The log-odds of further checkers on the row as it is seen now.

        odds: those of the row by itself. They count only for what has changed: the rest is in the old odds.
        """
        prior = log_odds_against_more(np.arange(len(odds)))
        before = self.odds - prior
        before = before - np.logaddexp.reduce(before)
        before = np.logaddexp(before, np.log(WRONG_MEMORY_SHARE / len(odds)))
        afresh = np.clip(odds[None, :] - odds[:, None], -MOST_CHANGE_NATS, MOST_CHANGE_NATS)
        changed = row.changes(self.row, layers_if_piled(len(row.xy))) + afresh
        now = np.logaddexp.reduce(before[:, None] + changed, axis=0) + prior
        return np.asarray(now - now[0])


@dataclass(frozen=True, kw_only=True)
class RememberedRow:
    """The result for a row when it was last examined.

    kind: how many checkers lie in it, negative when they are dark. grey: its strip then, None if the camera
    has moved since. odds: of further checkers. clear_row: as it was last seen clearly, None if checkers
    bridged others.
    """

    kind: int
    grey: Image | None
    odds: FloatArray
    clear_row: ClearRow | None = None


@dataclass(kw_only=True)
class LayerCounter:
    """Counts the checkers on full rows, picture by picture."""

    view: SceneView
    _strips: dict[tuple[int, int], FaceStrip] = field(default_factory=dict)
    _remembered: dict[int, RememberedRow] = field(default_factory=dict)

    def moved_to(self, view: SceneView) -> "LayerCounter":
        """The same after the camera has moved."""
        remembered = {place: replace(last, grey=None) for place, last in self._remembered.items()}
        return LayerCounter(view=view, _remembered=remembered)

    def forget_all_but(self, places: Collection[int]) -> None:
        """Forget what was seen of places that hold no full row any more."""
        self._remembered = {place: last for place, last in self._remembered.items() if place in places}

    def more_on_row(
        self,
        image_bgr: Image,
        place: int,
        row_px: FloatArray,
        *,
        dark: bool,
        hand: bool = False,
        sharp: bool = True,
    ) -> FloatArray:
        """(MAX_COUNT - n + 1,) log-odds of 0, 1, ... further checkers that lie on a row of n.

        row_px: (n, 2) scene pixels where the row was found. dark: whose it is. hand: somebody reaches over
        the board, so the last result stands. sharp: the picture may be compared with others.
        """
        kind = -len(row_px) if dark else len(row_px)
        last = self._remembered.get(place)
        if last is None or last.kind != kind:
            last = RememberedRow(kind=kind, grey=None, odds=np.zeros(0))
        elif hand:
            return last.odds
        grey = self._strip(place, len(row_px)).grey(image_bgr)
        if last.grey is None or spot_levels(grey, last.grey) > SAME_STRIP_LEVELS:
            last = replace(self._count(image_bgr, grey, place, row_px, last, sharp), grey=grey)
            self._remembered[place] = last
        return last.odds

    def _strip(self, place: int, checkers: int) -> FaceStrip:
        key = place, checkers
        if key not in self._strips:
            self._strips[key] = FaceStrip.for_row(self.view, *key)
        return self._strips[key]

    def _count(
        self, image_bgr: Image, grey: Image, place: int, row_px: FloatArray, last: RememberedRow, sharp: bool
    ) -> RememberedRow:
        expected_along = scene_to_row(self.view, place, row_px)[:, 1]
        faces = RowFaces.from_scores(self._strip(place, len(row_px)), ring_scores(grey), expected_along)
        clear = (faces.clear - BLURRED_FACE_SCORES[0]) / (BLURRED_FACE_SCORES[1] - BLURRED_FACE_SCORES[0])
        trust = float(np.clip(clear, 0, 1))
        if faces.bridging.max() > 0:
            return replace(last, odds=trust * faces.bridging, clear_row=None if sharp else last.clear_row)
        row = self._seen_row(image_bgr, place, faces)
        if last.clear_row is not None:
            row = row.keeping(last.clear_row.row)
            if not row.is_touched(last.clear_row.row):
                return replace(last, odds=trust * last.clear_row.odds)
        odds = log_odds_of_more(faces, row.rise_xy, row.size_log_densities(layers_if_piled(len(row_px))))
        if trust < 1 or not sharp:
            return replace(last, odds=trust * odds)
        if last.clear_row is not None:
            odds = last.clear_row.updated(row, odds)
        return replace(last, odds=trust * odds, clear_row=ClearRow(row=row, odds=odds))

    def _seen_row(self, image_bgr: Image, place: int, faces: RowFaces) -> SeenRow:
        middles = row_to_scene(self.view, place, faces.xy)
        return SeenRow(
            xy=faces.xy,
            cuts=tuple(FaceCut.cut_out(self.view, image_bgr, middle) for middle in middles),
            down=inward_sign(place),
            rise_xy=scene_to_row(self.view, place, self.view.raised(middles)) - faces.xy,
            growth=self.view.growth(middles),
        )
