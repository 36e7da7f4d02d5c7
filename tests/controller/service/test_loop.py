"""The loop that brings eyes, ears and referee together."""

from controller.perception.board_watcher import BoardWatcher
from controller.referee import RefereePhase
from controller.service.loop import GameLoop, play_back
from controller.service.recordings.recording import open_recording
from tests.controller.cli.test_transcribe import SHORT


def test_pictures_bear_witness_to_dice_that_were_heard():
    recording = open_recording(SHORT)
    loop = GameLoop(BoardWatcher(recording.board))
    seen = {}
    for _ in play_back(recording, loop):
        state = loop.state
        if state.phase is RefereePhase.ROLLED and state.roll_evidence.roll:
            seen[len(state.record)] = (state.roll_evidence.roll, state.rolls)
    assert seen
    assert all(rolls == (roll,) for roll, rolls in seen.values())
