"""Keeps boards of labelled recordings as `flat_boards` keeps rendered ones.

The labels of a recording have no faces, and do not say what a hand hides. A place whose covered share is
unknown has nan for it, and no lesson uses its class.
"""

from pathlib import Path

import numpy as np

from vision.networks.strips import N_PLACES, N_POINTS, leans
from vision.training.flat_boards import Labels, flatten, padded_faces, write_kept
from vision.training.measure_reader import Shown, recording_pictures

SEEN_SHARE = 0.08
"""Covered share written for a visible place: too high for `lessons` to use its faces."""
MOST_PICTURES = 130
"""Most pictures that are kept of a recording, evenly spread."""


def labels_of_frame(shown: Shown) -> Labels:
    """The labels of one frame."""
    hidden = np.full(N_PLACES, np.nan if not shown.whole else SEEN_SHARE, dtype=np.float32)
    if shown.counts[N_POINTS:].any():
        hidden[N_POINTS:] = np.nan  # the labels do not say in which half they lie
    return Labels(
        kind=shown.kind,
        counts=shown.counts,
        hidden=hidden,
        hand=float("nan") if shown.hand is None else float(shown.hand),
        pad=float("nan"),
        lean=leans(shown.view),
        faces=padded_faces([]),
    )


def keep_recordings(folder: Path, cache: Path) -> list[Path]:
    """Flatten the recordings of a folder that show anything to learn from. Returns their kept names."""
    kept = []
    for path in sorted(folder.glob("*/labels.jsonl")):
        name = cache / f"recording-{path.parent.name}"
        if name.with_suffix(".npz").exists():
            kept.append(name)
            continue
        lines = len(path.read_text().splitlines())
        flat, labels, bar = [], [], (0.46, 0.54)
        for number, shown in enumerate(recording_pictures(path.parent)):
            if number % -(-lines // MOST_PICTURES) == 0 and (shown.whole or shown.hand):
                flat.append(flatten(shown.image_bgr, shown.view))
                labels.append(labels_of_frame(shown))
                bar = shown.view.bar
        if flat:
            write_kept(name, flat, labels, family="recordings", bar=bar)
            kept.append(name)
    return kept
