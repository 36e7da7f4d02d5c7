"""What this board, these checkers and this light look like, learnt from the first pictures of a game.

The pictures may show the empty board, then a furnished one (the start position); the empty board is not
needed but helps. What the furnished position puts on each place is handed in: nothing here knows rules.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.checker_looks import (
    FACE_MASK,
    CheckerLook,
    CheckerShape,
    Evidence,
    edges_of,
    evidence,
    face_at,
    mean_face,
    on_discs,
    pixel_evidence,
)
from vision.appearance.light_change import Light, light_on
from vision.appearance.pixel_evidence import ColourModel, EmptyBoard
from vision.appearance.scene import CHECKER_PX, Scene, SceneView, Tone
from vision.appearance.stack_rows import Counts, RowFinder, Rows, log_likelihoods
from vision.appearance.upper_layers import FULL_ROW
from vision.board_reading import MAX_COUNT, N_POINTS
from vision.geometry import COLUMNS_A_HALF, BoardGeometry, FloatArray, Image, Mask

KEPT_EARLIER_SCENES = 6
"""Earlier pictures kept in case one turns out to show the empty board."""
LEAST_AGREEING = 23
"""Places (of 24) that must read as they are furnished before a picture counts as showing that position."""
FILL_REACH_PX = 3.0 * CHECKER_PX
"""Where the board was never seen bare its light is taken from this far."""
MOST_STRAYS = 3
"""Checkers of the furnished position that may look unlike the others: in glare, shadow, under a finger."""
OUTLIER_FACTOR = 3.0
"""Checkers of one side differ as it is: one is unlike the others when it differs so many times as much."""
LOG_OFFSET_LEVELS = 10.0
USUAL_UNEVENNESS = 0.1
"""By how much the brightness of checkers of one side differs where the light falls evenly."""
EVENING_ROUNDS = 5
MOST_FALLOFF = 0.4
"""How far the light is followed: at most half as much again as usual, or two thirds of it."""
LEAST_APART_LEVELS = 40.0
"""Levels by which checkers of one side may differ however alike the two sides are."""
WANTED_NATS, MOST_ALLOWANCE_NATS = 5.0, 8.0
"""What should speak for each checker of the furnished position; by how much at most it is helped."""
MOST_DARKER_LEVELS = 25.0
"""Light checkers that are darker than the dark ones by more than this are the other side's."""
REFERENCE_WIDTH_PX = 640
"""Width of the whole picture kept for noticing shifts and foreign bodies."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Everything learnt from the first pictures; see `Calibrator`.

    looks: how light and how dark checkers look. tone: how pictures are stretched.
    noise: standard deviation of a scene pixel in levels.
    reference_bgr: the whole calibrating picture, reduced to `REFERENCE_WIDTH_PX`.
    counts: what lay on the places in the calibrating picture.
    """

    geometry: BoardGeometry
    empty: EmptyBoard
    looks: tuple[CheckerLook, CheckerLook]
    tone: Tone
    noise: float
    reference_bgr: Image
    counts: Counts

    def save(self, path: Path) -> None:
        """Write to an .npz file."""
        geometry = self.geometry
        np.savez_compressed(
            path,
            corners_px=np.array(geometry.corners_px),
            image_wh=np.array(geometry.image_wh),
            bar=np.array(geometry.bar),
            lens=np.array([geometry.distortion, geometry.checker_height]),
            measures=np.array([geometry.checker or np.nan, geometry.aspect or np.nan]),
            empty=self.empty.colour.astype(np.float16),
            known=self.empty.known,
            evening=self.empty.evening,
            colours=np.stack([look.colour.log_density for look in self.looks]).astype(np.float16),
            faces=np.stack([look.face for look in self.looks]),
            patterns=np.stack([look.shape.pattern for look in self.looks]),
            likeness=np.array([look.shape.likeness for look in self.looks]),
            allowance=np.array([look.allowance for look in self.looks]),
            tone=np.array([self.tone.gain, self.tone.offset]),
            noise=np.array(self.noise),
            reference_bgr=self.reference_bgr,
            counts=np.array(self.counts),
        )

    @staticmethod
    def load(path: Path) -> "Calibration":
        """Read what `save` wrote. Raises CalibrationError when the file is something else."""
        try:
            with np.load(path) as data:
                return _from_arrays({name: data[name] for name in data.files})
        except (OSError, EOFError, ValueError, KeyError) as problem:
            raise CalibrationError(f"{path} holds no calibration ({problem}): calibrate again") from problem


class CalibrationError(ValueError):
    """A calibration cannot be used."""


def _from_arrays(data: dict[str, npt.NDArray[np.float64]]) -> Calibration:
    one, two, three, four = ((float(x), float(y)) for x, y in data["corners_px"])
    checker, aspect = (None if np.isnan(value) else float(value) for value in data["measures"])
    noise = float(data["noise"])
    light, dark = (
        CheckerLook(
            colour=ColourModel(log_density=data["colours"][side].astype(np.float32)),
            face=data["faces"][side].astype(np.float32),
            shape=CheckerShape(
                pattern=data["patterns"][side].astype(np.float32),
                likeness=tuple(data["likeness"][side].tolist()),
            ),
            allowance=float(data["allowance"][side]),
        )
        for side in range(2)
    )
    geometry = BoardGeometry(
        corners_px=(one, two, three, four),
        image_wh=(int(data["image_wh"][0]), int(data["image_wh"][1])),
        bar=(float(data["bar"][0]), float(data["bar"][1])),
        checker=checker,
        aspect=aspect,
        distortion=float(data["lens"][0]),
        checker_height=float(data["lens"][1]),
    )
    if data["empty"].shape[1::-1] != SceneView(geometry=geometry).size_wh:
        raise ValueError("its scene is of another size")
    return Calibration(
        geometry=geometry,
        empty=replace(
            EmptyBoard.learn(data["empty"].astype(np.float32), data["known"].astype(bool), noise),
            evening=data["evening"].astype(np.float32),
        ),
        looks=(light, dark),
        tone=Tone(gain=float(data["tone"][0]), offset=float(data["tone"][1])),
        noise=noise,
        reference_bgr=data["reference_bgr"].astype(np.uint8),
        counts=tuple(int(count) for count in data["counts"]),
    )


@dataclass(kw_only=True)
class Calibrator:
    """Learns from pictures offered in order until one shows the board furnished as `start_counts` says.

    start_counts: 24 numbers, the checkers on each place, light positive and dark negative.
    """

    geometry: BoardGeometry
    start_counts: Counts
    _view: SceneView = field(init=False)
    _earlier: list[Scene] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        if len(self.start_counts) != N_POINTS or not (min(self.start_counts) < 0 < max(self.start_counts)):
            raise CalibrationError("calibrating needs 24 counts with checkers of both colours")
        self._view = SceneView(geometry=self.geometry)

    def offer(self, image_bgr: Image, t_ms: int) -> Calibration | None:
        """Look at the next picture; the calibration once it shows the furnished board, else None."""
        seen = self._view.scene(image_bgr)
        tone = Tone.stretching(seen)
        scene, noise = tone.of(seen), noise_of(tone.of(seen))
        covered = _neat_discs(self._view, self.start_counts, 0.75)
        earlier = [tone.of(bare) for bare in reversed(self._earlier)]
        known = [EmptyBoard.learn(bare, np.ones_like(covered), noise) for bare in earlier]
        inferred = EmptyBoard.learn(_uncovered(self._view, scene, covered), ~covered, noise)
        for empty in (*known, inferred):
            learnt = learn_looks(self._view, scene, empty, self.start_counts)
            if learnt is not None:
                empty, looks = learnt
                return Calibration(
                    geometry=self.geometry,
                    empty=empty,
                    looks=looks,
                    tone=tone,
                    noise=noise,
                    reference_bgr=reduced(image_bgr),
                    counts=tuple(self.start_counts),
                )
        self._earlier = [*self._earlier[-(KEPT_EARLIER_SCENES - 1) :], seen]
        return None


def reduced(image_bgr: Image) -> Image:
    """The whole picture at `REFERENCE_WIDTH_PX`."""
    height, width = image_bgr.shape[:2]
    size = (REFERENCE_WIDTH_PX, round(height * REFERENCE_WIDTH_PX / width))
    whole = width % REFERENCE_WIDTH_PX == 0 or width > 2 * REFERENCE_WIDTH_PX
    means = cv2.INTER_AREA if whole else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image_bgr, size, interpolation=means), dtype=np.uint8)


def noise_of(scene: Scene) -> float:
    """Standard deviation of a pixel's noise in levels, from the quietest tenth of the scene."""
    grey = cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY)
    rest = grey - cv2.GaussianBlur(grey, (0, 0), 1.2)
    local = cv2.blur(rest * rest, (9, 9))
    return float(np.sqrt(np.percentile(local, 10)))


def read_counts(rows: Rows) -> Counts:
    """The likeliest count of each place, light positive."""
    return tuple(int(n) - MAX_COUNT for n in log_likelihoods(rows.scores).argmax(axis=1))


def learn_looks(
    view: SceneView, scene: Scene, empty: EmptyBoard, counts: Counts
) -> tuple[EmptyBoard, tuple[CheckerLook, CheckerLook]] | None:
    """The board in its light, and how both sides look, from a scene furnished as `counts` says.

    None when it reads back otherwise.
    """
    finder = RowFinder(view=view)
    light = _neat_discs(view, tuple(max(count, 0) for count in counts), 0.34)
    dark = _neat_discs(view, tuple(min(count, 0) for count in counts), 0.34)
    colours = (ColourModel.learn(scene[light]), ColourModel.learn(scene[dark]))
    for _ in range(2):
        pixels, _fits = pixel_evidence(scene, empty, colours)
        centres = _centres(finder.find(on_discs(pixels)), counts)
        empty = replace(empty, evening=_evening(scene, centres))
        even = empty.evenly_lit(scene)
        colours = (_colour(even, centres[0]), _colour(even, centres[1]))
    if _strays(even, centres) > MOST_STRAYS:
        return None
    looks = _looks(scene, colours, centres)
    if float(looks[0].face.mean() - looks[1].face.mean()) < -MOST_DARKER_LEVELS:
        return None
    seen = evidence(scene, empty, looks, Light.unchanged(scene))
    looks = _with_allowances(looks, seen, finder.find_in(seen), centres, counts)
    rows = finder.find_in(evidence(scene, empty, looks, Light.unchanged(scene)))
    return (empty, looks) if _reads_as(read_counts(rows), counts) else None


def _reads_as(seen: Counts, counts: Counts) -> bool:
    """Whether a board reads as it is furnished.

    Where checkers look like the board full rows may seem to have one more, if all else is right: no play adds
    a checker and moves none.
    """
    agreeing = sum(one == other for one, other in zip(seen, counts, strict=True))
    longer = (
        abs(other) == FULL_ROW and one == other + np.sign(other)
        for one, other in zip(seen, counts, strict=True)
    )
    return agreeing >= LEAST_AGREEING or agreeing + sum(longer) == N_POINTS


def _with_allowances(
    looks: tuple[CheckerLook, CheckerLook],
    seen: Evidence,
    rows: Rows,
    centres: tuple[FloatArray, FloatArray],
    counts: Counts,
) -> tuple[CheckerLook, CheckerLook]:
    """Let off the checkers of a side that are hardly told from the board, as far as bare places allow."""
    bare = [place for place, count in enumerate(counts) if count == 0]
    learnt = []
    for colour, look in enumerate(looks):
        x, y = np.rint(centres[colour]).astype(int).T
        weakest = float(cv2.dilate(seen.centres[colour], np.ones((3, 3), np.uint8))[y, x].min())
        room = -float(rows.scores[colour, bare, 1].max()) - WANTED_NATS
        allowance = float(np.clip(WANTED_NATS - weakest, 0, np.clip(room, 0, MOST_ALLOWANCE_NATS)))
        learnt.append(replace(look, allowance=allowance))
    return learnt[0], learnt[1]


def _centres(rows: Rows, counts: Counts) -> tuple[FloatArray, FloatArray]:
    """(N, 2) centres of the light and of the dark checkers of a known position."""
    found: tuple[list[FloatArray], list[FloatArray]] = ([], [])
    for place, count in enumerate(counts):
        if count:
            found[int(count < 0)].append(rows.centres(place, count))
    return np.concatenate(found[0]), np.concatenate(found[1])


def _strays(even: Scene, centres: tuple[FloatArray, FloatArray]) -> int:
    """How many of the (N, 2) centres of light and of dark checkers do not show their side's colour."""
    sides = [_faces(even, side) for side in centres]
    usual = [np.median(side, axis=0) for side in sides]
    apart = max(float(np.linalg.norm(usual[0] - usual[1])), LEAST_APART_LEVELS)
    strays = 0
    for side, own, other in zip(sides, usual, usual[::-1], strict=True):
        distance = np.linalg.norm(side - own, axis=1)
        unlike = distance > max(0.4 * apart, OUTLIER_FACTOR * float(np.median(distance)))
        strays += int((unlike | (np.linalg.norm(side - other, axis=1) < distance)).sum())
    return strays


def _faces(scene: Scene, centres: FloatArray) -> FloatArray:
    """(N, 3): the usual colour of each face at (N, 2) centres."""
    return np.array([np.median(face_at(scene, centre)[FACE_MASK], axis=0) for centre in centres])


def _evening(scene: Scene, centres: tuple[FloatArray, FloatArray]) -> Scene:
    """(H, W, 1): what evens out the light on the board, seen by the checkers of both sides.

    They tell how the light bends over the board, as far as most of them agree.
    """
    height, width = scene.shape[:2]
    is_light = np.arange(sum(map(len, centres))) < len(centres[0])
    faces, middles = _faces(scene, np.concatenate(centres)), np.concatenate(centres) / width
    levels = faces.mean(axis=1) + LOG_OFFSET_LEVELS
    brightness = np.log(levels)
    middle = middles.mean(axis=0)
    design = np.column_stack([is_light, ~is_light, _bend(*(middles - middle).T)]).astype(np.float64)
    # What a sheen adds is as much on dark checkers as on light ones: less is known of the light on those.
    trust = levels / levels.max()
    weight = trust
    for _ in range(EVENING_ROUNDS):
        slopes = np.linalg.lstsq(design * weight[:, None], brightness * weight, rcond=None)[0]
        weight = trust / np.hypot(1, trust * (brightness - design @ slopes) / USUAL_UNEVENNESS)
    y, x = np.mgrid[:height, :width] / width - middle[::-1, None, None]
    falloff = _bend(x, y) @ slopes[2:]
    even = np.exp(-np.clip(falloff, -MOST_FALLOFF, MOST_FALLOFF))
    return np.asarray(even[..., None], dtype=np.float32)


def _bend(x: FloatArray, y: FloatArray) -> FloatArray:
    """(..., 5) terms of light that falls off, or bends, over the board."""
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _colour(scene: Scene, centres: FloatArray) -> ColourModel:
    mask = np.zeros(scene.shape[:2], dtype=np.uint8)
    draw_discs(mask, centres, 0.45)
    return ColourModel.learn(scene[mask > 0])


def _looks(
    scene: Scene, colours: tuple[ColourModel, ColourModel], centres: tuple[FloatArray, FloatArray]
) -> tuple[CheckerLook, CheckerLook]:
    edges = edges_of(scene)
    near = np.zeros(scene.shape[:2], dtype=np.uint8)
    draw_discs(near, np.concatenate(centres), 0.25)
    light, dark = (
        CheckerLook(
            colour=colour,
            face=mean_face(scene, where),
            shape=CheckerShape.learn(edges, where, near == 0),
        )
        for colour, where in zip(colours, centres, strict=True)
    )
    return light, dark


def draw_discs(mask: Image, centres: FloatArray, radius: float, value: int = 255) -> None:
    """Draw filled discs (radius in checker diameters) round (N, 2) scene pixels into a mask."""
    for x, y in centres:
        cv2.circle(
            mask, (round(16 * x), round(16 * y)), round(16 * radius * CHECKER_PX), (value,), -1, shift=4
        )


def _neat_discs(view: SceneView, counts: Counts, radius: float) -> Mask:
    """Where the checkers lie if the position is neatly furnished."""
    mask = np.zeros(view.size_wh[::-1], dtype=np.uint8)
    for place, count in enumerate(counts):
        if count:
            neat = [view.geometry.checker_xy(place, index) for index in range(abs(int(count)))]
            draw_discs(mask, view.scene_xy(neat), radius)
    return mask > 0


def _uncovered(view: SceneView, scene: Scene, covered: Mask) -> Scene:
    """The scene with what checkers cover taken from places of the same colour in the same row.

    Places in the same half come last and win: boards seldom measure quite what they should across the bar.
    """
    typical = scene.copy()
    height, width = covered.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    surface = view.to_surface(np.stack([x, y], axis=-1).reshape(-1, 2)).reshape(height, width, 2)
    half = N_POINTS // 2
    for place in range(N_POINTS):
        middle, reach = view.geometry.column_x(place), 0.52 * view.geometry.column_width(place)
        own = covered & (np.abs(surface[..., 0] - middle) < reach)
        own &= (surface[..., 1] < 0.5) == (place < half)
        if not own.any():
            continue
        alike = [p for p in range(place % 2, half, 2) if p != place % half]
        near = [p for p in alike if p // COLUMNS_A_HALF == place % half // COLUMNS_A_HALF]
        for sources in (alike, near):
            aside = [view.geometry.column_x(p) - middle for p in sources]
            pool = np.stack([_seen_at(view, scene, covered, surface[own], step) for step in aside])
            usable = ~np.isnan(pool[..., 0]).all(axis=0)
            filled = typical[own]
            filled[usable] = np.nanmedian(pool[:, usable], axis=0)
            typical[own] = filled
    light = light_on(scene, typical, ~covered, FILL_REACH_PX)
    return np.where(covered[..., None], _lit(typical, light), scene)


def _seen_at(view: SceneView, scene: Scene, covered: Mask, surface: FloatArray, aside: float) -> Scene:
    """(N, 3) colours of the board `aside` field widths from (N, 2) surface points; nan where covered."""
    there = view.from_surface(surface + np.array([aside, 0.0])).astype(np.float32)
    map_x, map_y = there[:, :1].copy(), there[:, 1:].copy()
    colours = cv2.remap(scene, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0]
    hidden = cv2.remap(covered.astype(np.float32), map_x, map_y, cv2.INTER_LINEAR)[:, 0] > 0
    return np.where(hidden[:, None], np.float32(np.nan), colours)


def _lit(typical: Scene, light: Light) -> Scene:
    return np.asarray(np.clip(typical * light.gain + light.offset, 0, 255), dtype=np.float32)
