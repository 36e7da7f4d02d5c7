"""The networks of `vision.networks.place_reader` in PyTorch, and their export to ONNX files."""

import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

from vision.networks.place_reader import (
    AT_ONCE,
    CELLS,
    FACTS,
    FEATURES,
    JOINED,
    N_CLASSES,
    N_FLAGS,
    NONE,
    SUMMARY,
    choose,
    facts_of,
    levelled,
)
from vision.networks.strips import N_PLACES, STRIP_WH
from vision.training.check_strips import CHECK_LEAN, check_strips
from vision.training.lessons import FACE_KINDS

OPSET = 11
COMPARED, FACES_AFTER = 64, 3
"""Channels from which training predicts the checkers' faces, and the number of layers before them."""


def layer(taken: int, given: int, stride: int = 1) -> nn.Sequential:
    """A 3x3 convolution, batch normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(taken, given, 3, stride, 1, bias=False), nn.BatchNorm2d(given), nn.ReLU(inplace=True)
    )


def dense(taken: int, given: int) -> nn.Sequential:
    """A fully connected layer, batch normalisation and ReLU."""
    return nn.Sequential(nn.Linear(taken, given, bias=False), nn.BatchNorm1d(given), nn.ReLU(inplace=True))


class Features(nn.Module):
    """(N, 3, H, W) levelled strips to (N, FEATURES, H / 4, W / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(layer(3, 12, 2), layer(12, 24, 2), layer(24, FEATURES))

    def forward(self, strips: Tensor) -> Tensor:
        return self.layers(strips)


class Join(nn.Module):
    """A place's references and facts, (N, 3 FEATURES + FACTS, *CELLS), to one map (N, JOINED, *CELLS)."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3 * FEATURES + FACTS, JOINED, 1), nn.ReLU(inplace=True), nn.Conv2d(JOINED, JOINED, 1)
        )

    def forward(self, seen: Tensor) -> Tensor:
        return self.layers(seen)


class Places(nn.Module):
    """The features of a strip and the joined reference of its place to a summary (N, SUMMARY)."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Conv2d(FEATURES, JOINED, 1)
        self.layers = nn.Sequential(
            layer(JOINED, 64, 2), layer(64, 64), layer(64, 64), layer(64, 96, 2), layer(96, 96)
        )
        cells = -(-CELLS[0] // 4) * -(-CELLS[1] // 4)
        self.narrow = nn.Sequential(
            nn.Conv2d(96, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.Flatten()
        )
        self.out = dense(32 * cells, SUMMARY)

    def forward(self, seen: Tensor, reference: Tensor) -> Tensor:
        return self.summed_up(self.compared(seen, reference))

    def compared(self, seen: Tensor, reference: Tensor) -> Tensor:
        """(N, COMPARED, H / 8, W / 8): the strip compared with the place's reference."""
        return self.layers[:FACES_AFTER](functional.relu(self.look(seen) + reference))

    def summed_up(self, compared: Tensor) -> Tensor:
        """(N, SUMMARY): the summary of what `compared` gives."""
        return self.out(self.narrow(self.layers[FACES_AFTER:](compared)))


class Judge(nn.Module):
    """A place's summary with mean and maximum of its board's to logits of classes, hidden and flags."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(dense(3 * SUMMARY, 192), nn.Linear(192, N_CLASSES + 1 + N_FLAGS))

    def forward(self, summaries: Tensor) -> Tensor:
        return self.layers(summaries)


@dataclass
class Asked:
    """Input of the networks.

    references: (K, 26, 3, H, W) levelled strips of known positions. shown: (K, 3, 26) the place that each
    place's references are taken from. known: (K, 3, 26) 1 where there is one. strips: (K, M, P, 3, H, W)
    levelled strips to read. facts: (K, 26, FACTS). places, weights: (K, M, P) the places of the strips, and
    for how many places each stands.
    """

    references: Tensor
    shown: Tensor
    known: Tensor
    strips: Tensor
    facts: Tensor
    places: Tensor
    weights: Tensor


class Reader(nn.Module):
    """All four networks, for training."""

    def __init__(self) -> None:
        super().__init__()
        self.features, self.join, self.places, self.judge = Features(), Join(), Places(), Judge()
        self.faces = nn.Conv2d(COMPARED, FACE_KINDS, 1)
        """Only for training: makes the networks before it learn where checkers lie."""

    def forward(self, asked: Asked) -> Tensor:
        """(K, M, P, logits): classes, hidden, flags."""
        return self.answers_and_faces(asked)[0]

    def answers_and_faces(self, asked: Asked) -> tuple[Tensor, Tensor]:
        """(K, M, P, logits), and (K, M, P, FACE_KINDS, *FACE_CELLS) logits of `lessons.Lesson.faces`."""
        boards, pictures, places = asked.strips.shape[:3]
        strips = torch.cat([asked.references.flatten(0, 1), asked.strips.flatten(0, 2)])
        features = self.features(strips.contiguous(memory_format=torch.channels_last))
        known = features[: boards * N_PLACES].unflatten(0, (boards, N_PLACES))
        shown = torch.cat([self._taken(known, asked, slot) for slot in range(3)], dim=2).flatten(0, 1)
        facts = asked.facts.flatten(0, 1)[:, :, None, None].expand(-1, -1, *CELLS)
        reference = self.join(torch.cat([shown, facts.to(shown.dtype)], dim=1))
        first = torch.arange(boards, device=asked.places.device)[:, None, None] * N_PLACES
        compared = self.places.compared(
            features[boards * N_PLACES :], reference[(first + asked.places).flatten()]
        )
        faces = self.faces(compared).unflatten(0, (boards, pictures, places))
        summary = self.places.summed_up(compared)
        summary = summary.unflatten(0, (boards, pictures, places))
        share = asked.weights[..., None] / asked.weights.sum(dim=2)[..., None, None]
        usual = (summary * share).sum(dim=2, keepdim=True).expand_as(summary)
        most = summary.amax(dim=2, keepdim=True).expand_as(summary)
        answers = self.judge(torch.cat([summary, usual, most], dim=-1).flatten(0, 2))
        return answers.unflatten(0, (boards, pictures, places)), faces

    @staticmethod
    def _taken(known: Tensor, asked: Asked, slot: int) -> Tensor:
        rows = torch.arange(len(known), device=known.device)[:, None]
        return known[rows, asked.shown[:, slot]] * asked.known[:, slot, :, None, None, None].to(known.dtype)


def fused(part: nn.Module) -> nn.Module:
    """A copy with each batch normalisation fused into the layer before it, as OpenCV needs it."""
    part = copy.deepcopy(part).eval()
    for inner in part.modules():
        if isinstance(inner, nn.Sequential):
            for n in range(len(inner) - 1):
                one, other = inner[n], inner[n + 1]
                if isinstance(one, nn.Linear) and isinstance(other, nn.BatchNorm1d):
                    inner[n], inner[n + 1] = fuse_linear_bn_eval(one, other), nn.Identity()
                if isinstance(one, nn.Conv2d) and isinstance(other, nn.BatchNorm2d):
                    inner[n], inner[n + 1] = fuse_conv_bn_eval(one, other), nn.Identity()
    return part


def cooled(reader: Reader, temperature: float) -> Reader:
    """A copy whose class logits are divided by a temperature."""
    reader = copy.deepcopy(reader)
    last = reader.judge.layers[-1]
    with torch.no_grad():
        last.weight[:N_CLASSES] /= temperature
        last.bias[:N_CLASSES] /= temperature
    return reader


def write_onnx(network: nn.Module, inputs: dict[str, Tensor], outputs: list[str], path: Path) -> None:
    """Write a network as an ONNX file. inputs: a tensor of the right shape for each input."""
    torch.onnx.export(
        fused(network).to(memory_format=torch.contiguous_format),
        tuple(inputs.values()),
        str(path),
        input_names=list(inputs),
        output_names=outputs,
        opset_version=OPSET,
        dynamo=False,
    )


def export(reader: Reader, folder: Path) -> None:
    """Write the four networks as `reader_*.onnx`."""
    seen = torch.zeros(AT_ONCE, FEATURES, *CELLS)
    parts: dict[str, tuple[nn.Module, dict[str, Tensor]]] = {
        "features": (reader.features, {"strips": torch.zeros(AT_ONCE, 3, STRIP_WH[1], STRIP_WH[0])}),
        "reference": (reader.join, {"seen": torch.zeros(AT_ONCE, 3 * FEATURES + FACTS, *CELLS)}),
        "places": (reader.places, {"seen": seen, "reference": torch.zeros(AT_ONCE, JOINED, *CELLS)}),
        "judge": (reader.judge, {"summaries": torch.zeros(N_PLACES, 3 * SUMMARY)}),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, (part, inputs) in parts.items():
        write_onnx(part, inputs, ["out"], folder / f"reader_{name}.onnx")


def write_check(reader: Reader, folder: Path) -> None:
    """Write `reader_check.npz`: the networks' answers on this machine to the fixed strips."""
    reference, shown, counts = check_strips()
    lean = np.full((N_PLACES, 2), CHECK_LEAN, dtype=np.float32)
    chosen = choose(counts)
    slots = np.stack([chosen.bare, chosen.a, chosen.b])
    written = {}
    for name, known in (("known", chosen), ("photo", None)):
        asked = Asked(
            references=as_tensor(levelled(reference))[None],
            shown=as_tensor(np.maximum(slots, 0))[None],
            known=as_tensor((slots != NONE) & (known is not None))[None].float(),
            strips=as_tensor(levelled(shown))[None, None],
            facts=as_tensor(facts_of(lean, known))[None],
            places=torch.arange(N_PLACES)[None, None],
            weights=torch.ones(1, 1, N_PLACES),
        )
        with torch.no_grad():
            answers = reader.eval()(asked)[0, 0]
        written[f"{name}_probabilities"] = answers[:, :N_CLASSES].softmax(dim=1).numpy()
        written[f"{name}_hidden"] = answers[:, N_CLASSES].sigmoid().numpy()
        written[f"{name}_flags"] = answers[:, N_CLASSES + 1 :].mean(dim=0).sigmoid().numpy()
    np.savez_compressed(folder / "reader_check.npz", **written)


def as_tensor(array: np.ndarray) -> Tensor:
    """A tensor that shares the array's memory where it is contiguous."""
    return torch.from_numpy(np.ascontiguousarray(array))
