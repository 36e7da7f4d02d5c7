"""Hours at the table leave nothing behind: the short form of `python -m tests.durability.soak`."""

from tests.durability.soak import IDLE_EVERY_MS, PLAY_EVERY_MS, Growth, Load, faulty, idle, play, soaked


def test_play_leaves_no_memory_files_or_threads_behind(tmp_path):
    assert soaked(play(0.03, tmp_path, PLAY_EVERY_MS), "play").is_small


def test_a_board_that_nobody_touches_leaves_nothing_behind(tmp_path):
    assert soaked(idle(0.1, tmp_path, IDLE_EVERY_MS), "idle").is_small


def test_games_full_of_faults_leave_no_files_or_threads_behind(tmp_path):
    grown = soaked(faulty(0.9, tmp_path / "faulty"), "faulty")
    assert (grown.files, grown.threads) == (0, 0)


def test_a_leak_would_be_found(tmp_path):
    kept = []

    def leaking():
        for load, told in idle(0.05, tmp_path, IDLE_EVERY_MS):
            kept.append(b"\1" * 200_000)
            yield load, told

    assert not soaked(leaking(), "leak").is_small


def test_one_more_file_or_thread_is_no_small_thing():
    before = [Load(memory=10, files=5, threads=3)] * 6
    assert Growth.of(before).is_small
    assert not Growth.of(before[:3] + [Load(memory=10, files=6, threads=3)] * 3).is_small
    assert not Growth.of(before[:3] + [Load(memory=10, files=5, threads=4)] * 3).is_small
