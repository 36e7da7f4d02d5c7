"""Cuts pieces with dice out of rendered boards and photographs, and varies them for training."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.field_view import field_view
from vision.geometry import BoardGeometry, GeometryError
from vision.networks.dice_network import COCKED, CUBE, VIEW_WH
from vision.training.drawn_dice import PIECE_PX, Piece

Floats = npt.NDArray[np.float64]
Pictures = npt.NDArray[np.uint8]
Rng = np.random.Generator

SURELY_SEEN = 0.25
"""A die of which a greater share is hidden may be given any class."""
PIECES_OF_NOTHING = 3
"""Pieces at random places that are cut out of each rendered picture."""
REAL_SCALES = (0.19, 0.42)
"""Least and greatest scale of a photograph of dice, so that its dice are as large as on a board."""
REAL_PIECES = 12
"""Pieces cut out of a photograph for each die on it."""
LABELLED_TO_MIDDLE_PX = 9.0
"""Mean distance in a photograph from the middle of a die's upper face down to the middle of the die."""
HELD_SESSIONS = 12
"""One rendered session in so many is held back."""
EITHER = -1
"""Class of an object for which any answer is right."""


def sessions_of(folder: Path) -> list[Path]:
    """The rendered sessions in a folder."""
    named = sorted(session for session in folder.iterdir() if session.name.isdigit())
    return [session for session in named if (session / "labels.jsonl").exists()]


def is_held_back(session: Path) -> bool:
    return int(session.name) % HELD_SESSIONS == 0


def rendered(folder: Path) -> Iterator[tuple[Pictures, Floats]]:
    """The field views (672, 768, 3) of a rendered session, and the (N, 4) objects on each; see `Piece`.

    Pictures that are missing or whose corners are not a board's are left out.
    """
    board = json.loads((folder / "board.json").read_text())
    width, height = board["field_mm"]
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        picture = cv2.imread(str(folder / label["file"]), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        one, two, three, four = ((float(x), float(y)) for x, y in label["corners_px"])
        try:
            geometry = BoardGeometry(
                corners_px=(one, two, three, four),
                image_wh=(picture.shape[1], picture.shape[0]),
                bar=(label["bar"][0], label["bar"][1]),
                aspect=width / height,
                distortion=float(label["lens"]["k1"]),
            )
        except GeometryError:
            continue
        view = field_view(geometry)
        things = [(die["box_px"], _die_class(die)) for die in label["dice"]]
        things += [(label["cube"], CUBE)] if label["cube"] else []
        objects = []
        for (left, top, right, bottom), answer in things:
            corners = view.to_view(
                geometry.to_field([(left, top), (right, top), (right, bottom), (left, bottom)])
            )
            low, high = corners.min(axis=0), corners.max(axis=0)
            objects.append([*(low + high) / 2, np.sqrt(np.prod(high - low)), answer])
        yield view.of(np.asarray(picture, np.uint8)), np.array(objects, np.float64).reshape(-1, 4)


def _die_class(die: dict[str, float]) -> int:
    if die["hidden"] > SURELY_SEEN:
        return EITHER
    return COCKED if die["leaning"] else int(die["face"])


def pieces_of(view: Pictures, objects: Floats, rng: Rng) -> Iterator[Piece]:
    """Cut a piece around each object of a view and around PIECES_OF_NOTHING random places."""
    inside = [spot for spot in objects if (spot[:2] > 0).all() and (spot[:2] < np.array(VIEW_WH)).all()]
    middles = [spot[:2] + rng.uniform(-14, 14, 2) for spot in inside]
    middles += list(rng.uniform(PIECE_PX / 2, np.array(VIEW_WH) - PIECE_PX / 2, (PIECES_OF_NOTHING, 2)))
    for middle in middles:
        yield cut_piece(view, objects, middle)


def cut_piece(view: Pictures, objects: Floats, middle: Floats) -> Piece:
    corner = np.rint(np.clip(middle - PIECE_PX / 2, 0, np.array(view.shape[1::-1]) - PIECE_PX)).astype(int)
    x, y = corner
    moved = objects.copy()
    moved[:, :2] -= corner
    near = (moved[:, :2] > -PIECE_PX / 4) & (moved[:, :2] < 1.25 * PIECE_PX)
    return Piece(image_bgr=view[y : y + PIECE_PX, x : x + PIECE_PX].copy(), objects=moved[near.all(axis=1)])


def photographed_dice(folder: Path, names: list[str], rng: Rng) -> Iterator[Piece]:
    """Cut pieces out of photographs of dice. The dice's sizes are unknown: nan."""
    for picture, objects in photographs(folder, names):
        for _ in range(REAL_PIECES * len(objects)):
            scale = float(np.exp(rng.uniform(*np.log(REAL_SCALES))))
            small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            least = np.array([PIECE_PX + 2, PIECE_PX + 2])
            extra = np.maximum(0, least - np.array(small.shape[1::-1]))
            edged = cv2.copyMakeBorder(small, 0, int(extra[1]), 0, int(extra[0]), cv2.BORDER_REPLICATE)
            placed = objects.copy()
            placed[:, :2] = (placed[:, :2] + 0.5) * scale - 0.5
            chosen = placed[int(rng.integers(len(placed))), :2] + rng.uniform(-20, 20, 2)
            yield cut_piece(np.asarray(edged, np.uint8), placed, chosen)


def photographs(folder: Path, names: list[str]) -> Iterator[tuple[Pictures, Floats]]:
    """The named photographs (h, w, 3) of dice, and the (N, 4) objects on each; see `Piece`."""
    for label in labels_of(folder):
        if label["file"] not in names:
            continue
        picture = np.asarray(cv2.imread(str(folder / label["file"]), cv2.IMREAD_COLOR), np.uint8)
        high, wide = picture.shape[:2]
        yield (
            picture,
            np.array(
                [
                    [x * wide, y * high + LABELLED_TO_MIDDLE_PX, np.nan, face]
                    for (x, y, _, _), face in zip(label["boxes"], label["dice"], strict=True)
                ],
                np.float64,
            ),
        )


def labels_of(folder: Path) -> list[dict[str, list]]:
    labels: list[dict[str, list]] = json.loads((folder / "labels.json").read_text())
    return sorted(labels, key=lambda label: str(label["file"]))


def varied(piece: Piece, rng: Rng, side: int) -> Piece:
    """A piece of `side` px: turned a little, scaled, perhaps mirrored, in other colours and light."""
    angle, scale = rng.normal(0, 0.14), float(np.exp(rng.uniform(-0.2, 0.2)))
    flip = -1.0 if rng.random() < 0.5 else 1.0
    turn = scale * np.array([[np.cos(angle) * flip, -np.sin(angle)], [np.sin(angle) * flip, np.cos(angle)]])
    middle = np.full(2, (PIECE_PX - 1) / 2)
    onto = np.c_[turn, (side - 1) / 2 - turn @ middle + rng.uniform(-9, 9, 2)]
    image = cv2.warpAffine(
        piece.image_bgr, onto, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    objects = piece.objects.copy()
    objects[:, :2] = objects[:, :2] @ onto[:, :2].T + onto[:, 2]
    objects[:, 2] *= scale
    return Piece(image_bgr=relit(np.asarray(image, np.uint8), rng), objects=objects)


def relit(image: Pictures, rng: Rng) -> Pictures:
    """The picture in other colours and light; at random blurred, sharpened, noisy or compressed."""
    if rng.random() < 0.25:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.12:
        image = 255 - image
    dimmed = rng.uniform(0.25, 1) if rng.random() < 0.25 else 1.0
    light = dimmed * rng.uniform(0.6, 1.3) * np.clip(rng.normal(1, 0.08, 3), 0.8, 1.2)
    levels = 255 * (np.arange(256)[:, None] / 255) ** np.exp(rng.normal(0, 0.2)) * light + rng.normal(0, 8)
    table = np.clip(levels, 0, 255).astype(np.uint8)[None]
    image = np.asarray(cv2.LUT(np.ascontiguousarray(image), table), np.uint8)
    if rng.random() < 0.25:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.6)), np.uint8)
    if rng.random() < 0.15:
        sharp = image + rng.uniform(0.3, 1.2) * (
            image.astype(np.float32) - cv2.GaussianBlur(image, (0, 0), 1.2)
        )
        image = np.clip(sharp, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        noisy = image + rng.normal(0, rng.uniform(1, 8), image.shape).astype(np.float32)
        image = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 90))]
        image = np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    return image
