"""The loop says when the computer does not keep up or sees nothing, and when it does again."""

import numpy as np

from controller.service.health.vitals import Pace, Sight
from vision.board_reading import BoardReading, refused_reading

SEEN = BoardReading(points=np.zeros((24, 31)), bar=np.zeros((2, 16)))
DARK = refused_reading("the picture shows nothing")


def handled(pace, begin_ms, end_ms, spent_ms):
    """Frames one after the other, each taking so long; what was said, with the time."""
    said = []
    for t_ms in range(begin_ms, end_ms, max(200, spent_ms)):
        sentence = pace.note(t_ms, spent_ms)
        if sentence:
            said.append((t_ms, sentence))
    return said


def test_a_computer_that_keeps_up_says_nothing():
    pace = Pace(200)
    assert handled(pace, 0, 60_000, 150) == []
    assert (pace.n_dropped, pace.a_second) == (0, 5.0)


def test_a_slow_computer_says_so_once_and_again_when_it_is_well():
    pace = Pace(200)
    ((said_ms, said),) = handled(pace, 0, 30_000, 450)
    assert 10_000 <= said_ms < 11_000
    assert "manages 2.3 pictures a second instead of 5.0" in said
    assert pace.is_slow
    ((_, said),) = handled(pace, 30_000, 60_000, 100)
    assert said == "Again 5.0 pictures a second are read."
    assert not pace.is_slow
    assert pace.n_dropped == 2 * len(range(0, 30_000, 450))


def test_one_slow_frame_in_a_while_is_nothing_to_speak_of():
    pace = Pace(200)
    said = [pace.note(t_ms, 700 if t_ms % 5000 == 0 else 100) for t_ms in range(0, 60_000, 200)]
    assert set(said) == {None}


def test_dice_get_a_quarter_of_the_time_of_a_computer_that_does_not_keep_up():
    assert Pace(200).rest_after_dice_ms(600) == 2400
    assert Pace(200).rest_after_dice_ms(200) == 0
    assert Pace(0).rest_after_dice_ms(600) == 0


def test_without_a_wanted_pace_nothing_is_missed():
    pace = Pace(0)
    assert handled(pace, 0, 30_000, 5000) == []
    assert pace.n_dropped == 0


def looked(sight, begin_ms, end_ms, reading):
    """What is said of frames that are all read so."""
    said = [sight.note(t_ms, reading) for t_ms in range(begin_ms, end_ms, 200)]
    return [sentence for sentence in said if sentence]


def test_people_are_told_once_that_no_picture_can_be_read_and_when_they_are_again():
    sight = Sight()
    assert looked(sight, 0, 5000, SEEN) == []
    (said,) = looked(sight, 5000, 60_000, DARK)
    assert "(the picture shows nothing): check lamp and camera" in said
    assert looked(sight, 60_000, 65_000, SEEN) == ["The board is read."]


def test_a_few_pictures_that_cannot_be_read_are_nothing_to_speak_of():
    sight = Sight()
    for begin_ms in range(0, 60_000, 10_000):
        assert looked(sight, begin_ms, begin_ms + 8000, DARK) == []
        assert looked(sight, begin_ms + 8000, begin_ms + 10_000, SEEN) == []


def test_a_board_that_is_still_to_be_learnt_is_not_missed():
    assert looked(Sight(), 0, 60_000, None) == []
