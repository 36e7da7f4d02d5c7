"""Roughly sketched boards in the form that training reads, so that it can be tried without renderings."""

import json
from pathlib import Path

import cv2
import numpy as np

SCALE, FIELD_WH, EDGE = 1.5, (560, 470), 60
START = {0: 2, 5: -5, 7: -3, 11: 5, 12: -2, 17: 5, 19: 3, 23: -5}


def sketch_board(folder: Path, seed: int, pictures: int = 8) -> None:
    """Write one board: start pictures, then positions by chance."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    look = _Look(rng)
    rows = []
    for number in range(pictures):
        counts = np.zeros((26, 2), int)
        if number < 2:
            for place, count in START.items():
                counts[place] = (count, 0) if count > 0 else (0, -count)
        else:
            for side in (0, 1):
                for _ in range(15):
                    free = [p for p in range(26) if not counts[p, 1 - side]]
                    used = [p for p in free if 0 < counts[p, side] < 9]
                    chosen = used if used and rng.random() < 0.6 else free
                    counts[int(rng.choice(chosen)), side] += 1
        image, corners = look.picture(counts)
        cv2.imwrite(str(folder / f"{number:02d}.jpg"), image)
        rows.append(
            {
                "file": f"{number:02d}.jpg",
                "kind": "start" if number < 2 else "play",
                "corners_px": corners,
                "bar": look.bar,
                "places": counts[:24].tolist(),
                "bar_halves": counts[24:].tolist(),
                "hidden": [0.0] * 24,
                "bar_hidden": [0.0, 0.0],
                "hand": False,
                "hand_share": 0.0,
                "pad": False,
            }
        )
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "board.json").write_text(
        json.dumps({"number": seed, "family": f"sketch {seed % 5}", "bar": look.bar, "size_wh": [960, 720]})
    )


class _Look:
    """A board's colours and camera."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.bar = [0.5 - rng.uniform(0.03, 0.05)]
        self.bar.append(1 - self.bar[0])
        self.cloth, self.points = rng.uniform(20, 230, 3), rng.uniform(20, 240, (2, 3))
        dark = rng.uniform(10, 150, 3)
        self.sides = np.clip(dark + rng.uniform(50, 110), 0, 250), dark
        self.grain = cv2.GaussianBlur(rng.normal(0, rng.uniform(5, 60), (900, 1000)), (0, 0), rng.uniform(0.7, 6))
        self.lean = rng.uniform(-0.12, 0.12), rng.uniform(-0.25, 0.05)
        jitter = rng.uniform(-60, 60, (4, 2))
        self.corners = np.array([[150, 120], [810, 120], [810, 640], [150, 640]]) + jitter
        self.diameter = self.bar[0] / 6 * rng.uniform(0.84, 0.97) * FIELD_WH[0]

    def picture(self, counts: np.ndarray) -> tuple[np.ndarray, list[list[float]]]:
        rng, (wide, high) = self.rng, (int(v * SCALE) for v in FIELD_WH)
        size = (wide + 2 * EDGE, high + 2 * EDGE)
        flat = np.empty((size[1], size[0], 3))
        flat[:] = self.cloth
        column = self.bar[0] / 6 * wide
        middles = [column * (n + 0.5) + (self.bar[1] * wide - 6 * column) * (n >= 6) for n in range(12)]
        for place in range(24):
            x, foot = EDGE + middles[place % 12], EDGE if place < 12 else EDGE + high
            tip = foot + (0.41 if place < 12 else -0.41) * high
            triangle = np.array([[x - column / 2, foot], [x + column / 2, foot], [x, tip]])
            cv2.fillPoly(flat, [triangle.astype(np.int32)], self.points[(place + place // 12) % 2].tolist(), cv2.LINE_AA)
        flat += self.grain[: size[1], : size[0], None]
        d = self.diameter * SCALE
        for place in np.argsort([max(c) for c in counts]):
            side = int(counts[place, 1] > 0)
            top = place < 12 or place == 24
            x = EDGE + (wide / 2 if place >= 24 else middles[place % 12])
            for n in range(counts[place].sum()):
                layer, spot = divmod(n, 5)
                y = (spot + 0.5) * d * 1.02 + rng.normal(0, 1.5)
                shown = np.array([x + rng.normal(0, 2), EDGE + y if top else EDGE + high - y])
                shown += np.array(self.lean) * d * (layer + 1)
                at = tuple(int(v * 16) for v in shown)
                shadow = tuple(int((v + 0.06 * d) * 16) for v in shown)
                cv2.circle(flat, shadow, int(8 * d), (flat[0, 0] * 0.4).tolist(), -1, cv2.LINE_AA, 4)
                colour = self.sides[side] * rng.uniform(0.93, 1.07)
                cv2.circle(flat, at, int(8 * d * 0.97), colour.tolist(), -1, cv2.LINE_AA, 4)
                cv2.circle(flat, at, int(8 * d * 0.93), (colour * 0.75).tolist(), 2, cv2.LINE_AA, 4)
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) + EDGE
        view = cv2.getPerspectiveTransform(corners, self.corners.astype(np.float32))
        flat = np.clip(flat, 0, 255).astype(np.uint8)
        return cv2.warpPerspective(flat, view, (960, 720), flags=cv2.INTER_AREA), self.corners.tolist()
