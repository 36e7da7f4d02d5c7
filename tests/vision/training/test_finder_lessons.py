"""What the finder of boards is taught on."""

import numpy as np

from vision.training.finder_lessons import with_print_beside


def test_what_is_printed_beside_a_board_hides_nothing_of_it():
    corners = np.array([(60.0, 50.0), (150.0, 55.0), (155.0, 120.0), (58.0, 118.0)])
    rng, bare = np.random.default_rng(1), np.zeros((200, 260, 3), np.uint8)
    covered = []
    for _ in range(20):
        seen = with_print_beside(rng, bare, corners).any(axis=2)
        assert not seen[50:120, 60:150].any()
        covered.append(seen.any(axis=None))
    assert np.mean(covered) > 0.9
