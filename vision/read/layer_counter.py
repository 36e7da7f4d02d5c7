"""Looks at full rows for what lies on them, and remembers what it saw.

A row that looks as it did is not looked at again. Of one that changed most is known: what has changed tells
how many checkers were laid on it or taken off.
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
"""Ring scores of faces so blurred that they tell nothing, and from which on they tell all they can."""
SAME_STRIP_LEVELS = 10.0
"""A strip that differs nowhere by more than this looks as it did."""
MOST_CHANGE_NATS = 6.0
"""What a row says by itself of a change is no surer than this."""
WRONG_MEMORY_SHARE = 0.03
"""How likely what was thought of a row before is all wrong."""


@dataclass(frozen=True, kw_only=True)
class ClearRow:
    """A row that was seen clearly, and the log-odds of further checkers on it then."""

    row: SeenRow
    odds: FloatArray

    def updated(self, row: SeenRow, odds: FloatArray) -> FloatArray:
        """The log-odds of further checkers on the row as it is seen now.

        odds: what it says by itself. It counts for what has changed: of what is as before all was said.
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
    """What was said of a row when it was looked at last.

    kind: how many checkers lie in it, negative when they are dark. grey: its strip then, None if the camera
    has moved since. odds: what was said. known: as it was last seen clearly, None if checkers bridged others.
    """

    kind: int
    grey: Image | None
    odds: FloatArray
    known: ClearRow | None = None


@dataclass(kw_only=True)
class LayerCounter:
    """Counts what lies on full rows, picture by picture."""

    view: SceneView
    _strips: dict[tuple[int, int], FaceStrip] = field(default_factory=dict)
    _counted: dict[int, RememberedRow] = field(default_factory=dict)

    def moved_to(self, view: SceneView) -> "LayerCounter":
        """The same after the camera has moved."""
        counted = {place: replace(last, grey=None) for place, last in self._counted.items()}
        return LayerCounter(view=view, _counted=counted)

    def forget_all_but(self, places: Collection[int]) -> None:
        """Forget what was seen of places that hold no full row any more."""
        self._counted = {place: last for place, last in self._counted.items() if place in places}

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
        the board; what was seen of the row before will do until he is gone. sharp: the picture may be
        compared with others.
        """
        kind = -len(row_px) if dark else len(row_px)
        last = self._counted.get(place)
        if last is None or last.kind != kind:
            last = RememberedRow(kind=kind, grey=None, odds=np.zeros(0))
        elif hand:
            return last.odds
        grey = self._strip(place, len(row_px)).grey(image_bgr)
        if last.grey is None or spot_levels(grey, last.grey) > SAME_STRIP_LEVELS:
            last = replace(self._count(image_bgr, grey, place, row_px, last, sharp), grey=grey)
            self._counted[place] = last
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
            return replace(last, odds=trust * faces.bridging, known=None if sharp else last.known)
        row = self._seen_row(image_bgr, place, faces)
        if last.known is not None:
            row = row.keeping(last.known.row)
            if not row.is_touched(last.known.row):
                return replace(last, odds=trust * last.known.odds)
        odds = log_odds_of_more(faces, row.rise_xy, row.sizes_speak_for(layers_if_piled(len(row_px))))
        if trust < 1 or not sharp:
            return replace(last, odds=trust * odds)
        if last.known is not None:
            odds = last.known.updated(row, odds)
        return replace(last, odds=trust * odds, known=ClearRow(row=row, odds=odds))

    def _seen_row(self, image_bgr: Image, place: int, faces: RowFaces) -> SeenRow:
        middles = row_to_scene(self.view, place, faces.xy)
        return SeenRow(
            xy=faces.xy,
            cuts=tuple(FaceCut.cut_out(self.view, image_bgr, middle) for middle in middles),
            down=inward_sign(place),
            rise_xy=scene_to_row(self.view, place, self.view.raised(middles)) - faces.xy,
            growth=self.view.growth(middles),
        )
