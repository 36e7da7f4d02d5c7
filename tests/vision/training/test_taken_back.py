"""Weights taken back out of ONNX files (needs PyTorch and onnx)."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from vision.networks import place_reader, row_network  # noqa: E402
from vision.training import learn_reader  # noqa: E402
from vision.training.drawn_boards import draw_all  # noqa: E402
from vision.training.flat_boards import load  # noqa: E402
from vision.training.learn_reader import begun, mixed  # noqa: E402
from vision.training.learn_rows import RowNet  # noqa: E402
from vision.training.lessons import Lessons  # noqa: E402
from vision.training.painting import painted_strips  # noqa: E402
from vision.training.reader_model import export  # noqa: E402
from vision.training.taken_back import go_on_from, mix_with, weights_in  # noqa: E402

SHIPPED = Path(row_network.__file__).with_name("row.onnx")


def test_a_network_taken_back_from_its_file_answers_as_the_file_does():
    rng = np.random.default_rng(1)
    rows = rng.normal(0, 1, (2, 3, 192, 400)).astype(np.float32)
    network = RowNet()
    go_on_from(network, SHIPPED, lambda: network(torch.from_numpy(rows)))
    with torch.no_grad():
        answers = network.eval()(torch.from_numpy(rows)).numpy()
    (wanted,) = row_network._network().run(rows=rows)
    np.testing.assert_allclose(answers, wanted, atol=1e-3 * np.abs(wanted).max())


def test_a_share_of_the_weights_of_two_files_of_a_network_is_kept(tmp_path: Path):
    other = tmp_path / "other.onnx"
    model = onnx.load(SHIPPED)
    for one in model.graph.initializer:
        one.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(one) + np.float32(1), one.name))
    onnx.save(model, other)
    begun = weights_in(SHIPPED)
    mix_with(begun, other, after=0.75)
    mixed = weights_in(other)
    assert begun.keys() == mixed.keys()
    for name, weight in begun.items():
        torch.testing.assert_close(mixed[name], weight + 0.75)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of how torch writes ONNX files
def test_the_reader_taken_back_from_its_files_becomes_the_same_files_again(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(learn_reader, "FACES_STEPS", 1)
    boards = [load(kept) for kept in draw_all(tmp_path, 1)]
    reader = begun(SHIPPED.parent, boards)
    export(reader, tmp_path / "again")
    lesson = next(iter(Lessons(boards, 7, group=1, pictures=1)))
    strips = painted_strips(lesson.disturbances)[0].movedim(1, -1).numpy().astype(np.uint8)
    lean = np.zeros((26, 2), np.float32)
    said = []
    for folder in (SHIPPED.parent, tmp_path / "again"):
        network = place_reader.ReaderNetwork(folder=folder)
        said.append(network.read(strips, network.no_reference(lean)).probabilities)
    np.testing.assert_allclose(said[1], said[0], atol=0.02)


def test_a_share_of_the_weights_after_is_kept():
    before, after = learn_reader.Reader(), learn_reader.Reader()
    old, new = (one.judge.layers[-1].bias.detach() for one in (before, after))
    kept = mixed(before, after, 0.25).judge.layers[-1].bias
    np.testing.assert_allclose(kept.detach(), 0.75 * old + 0.25 * new, atol=1e-6)
