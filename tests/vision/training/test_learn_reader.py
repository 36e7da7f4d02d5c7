"""Teaching the reader (needs PyTorch)."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.networks import place_reader  # noqa: E402
from vision.training import lessons  # noqa: E402
from vision.training.calibrate_reader import Heard, best_temperature  # noqa: E402
from vision.training.drawn_boards import draw_all  # noqa: E402
from vision.training.flat_boards import load  # noqa: E402
from vision.training.learn_reader import Course, asked, levelled, losses, teach  # noqa: E402
from vision.training.lessons import LEAST_BARE, Lessons  # noqa: E402
from vision.training.reader_model import Reader, cooled  # noqa: E402


def test_a_lesson_reads_furnished_places_first_and_weighs_them_for_the_rest(tmp_path: Path):
    boards = [load(kept) for kept in draw_all(tmp_path, 2)]
    lesson = next(iter(Lessons(boards, 1, group=2, pictures=2, places=16)))
    question = asked(lesson)
    assert question.strips.shape == (2, 2, 16, 3, 128, 40)
    np.testing.assert_allclose(lesson.weights.sum(dim=2), 26, rtol=1e-5)
    assert ((lesson.classes == 0).sum(dim=2) >= LEAST_BARE - 1).all()
    with torch.no_grad():
        answers = Reader()(question)
    assert answers.shape == (2, 2, 16, 35)
    assert all(bool(loss.isfinite()) for loss in losses(answers, lesson))


def test_strips_are_levelled_as_where_they_are_read():
    strips = np.random.default_rng(3).integers(0, 256, (26, 128, 40, 3)).astype(np.uint8)
    told = levelled(torch.from_numpy(strips).movedim(-1, 1)[None].float())[0]
    np.testing.assert_allclose(told, place_reader.levelled(strips), atol=1e-4)


def test_features_that_are_kept_do_not_change(tmp_path: Path):
    boards = [load(kept) for kept in draw_all(tmp_path, 2)]
    course = Course(
        minutes=0.02, rate=1e-3, seed=1, group=1, workers=0, weights=tmp_path / "w.pt", keep_features=True
    )
    torch.save(Reader().state_dict(), tmp_path / "first.pt")
    taught = teach(boards, [], course, tmp_path / "first.pt")
    before, after = torch.load(tmp_path / "first.pt"), taught.state_dict()
    same = {name for name, weight in before.items() if torch.equal(weight, after[name])}
    assert {name for name in before if name.startswith("features.")} <= same
    assert "judge.layers.1.weight" not in same


def test_the_best_temperature_undoes_overconfidence():
    rng = np.random.default_rng(1)
    honest = rng.normal(0, 2, (4000, 5)).astype(np.float32)
    shares = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    classes = np.array([rng.choice(5, p=share / share.sum()) for share in shares.astype(float)])
    loud = Heard(logits=2 * honest, classes=classes, known=np.ones(4000, dtype=bool))
    assert best_temperature(loud) == pytest.approx(2, rel=0.15)


def test_cooling_divides_the_classes_only():
    torch.manual_seed(1)
    reader = Reader().eval()
    summaries = torch.rand(4, 384)
    with torch.no_grad():
        before, after = reader.judge(summaries), cooled(reader, 2.0).judge(summaries)
    np.testing.assert_allclose(after[:, :32], before[:, :32] / 2, atol=1e-5)
    np.testing.assert_allclose(after[:, 32:], before[:, 32:], atol=1e-6)


def test_a_photograph_that_is_looked_at_again_is_its_own_reference(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(lessons, "PHOTOGRAPHS", 1.0)
    monkeypatch.setattr(lessons, "SECOND_LOOKS", 1.0)
    boards = [load(kept) for kept in draw_all(tmp_path, 1)]
    lesson = next(iter(Lessons(boards, 1, group=1, pictures=2, places=16)))
    question = asked(lesson)
    for picture in range(2):
        shown = question.references[0, lesson.places[0, picture]]
        np.testing.assert_array_equal(question.strips[0, picture], shown)
    assert lesson.known.any()


def test_a_board_without_a_reference_is_shown_nothing_instead(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(lessons, "PHOTOGRAPHS", 1.0)
    monkeypatch.setattr(lessons, "SECOND_LOOKS", 0.0)
    boards = [load(kept) for kept in draw_all(tmp_path, 1)]
    lesson = next(iter(Lessons(boards, 1, group=1, pictures=2, places=16)))
    assert not asked(lesson).references.any()
