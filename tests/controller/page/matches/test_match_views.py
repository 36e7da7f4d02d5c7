"""The list of matches takes little room and time, however many there are."""

from contextlib import closing

import pytest

from controller.page.matches.match_views import MatchShelf
from controller.perception.orientation import Orientation
from controller.record.keeper import HEADING_KIND, MatchKeeper, match_heading
from controller.record.match_settings import MatchSettings
from controller.rules import MODERN, shots
from controller.service.matches.kept_matches import KeptMatch, load_kept_matches
from controller.service.recordings.stills import StillKind, StillName, still_file, stills_folder
from tests.durability.evening import evening, evening_events


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "blotlight.db"
    for _ in evening(evening_events(1)[:400], path):
        pass
    return path


@pytest.fixture
def read(monkeypatch):
    """The numbers of the matches that were read."""
    numbers, of = [], KeptMatch.of
    monkeypatch.setattr(KeptMatch, "of", lambda log: numbers.append(log.number) or of(log))
    return numbers


def begin(log, n_matches, **names):
    keeper = MatchKeeper(log, MatchSettings(**names), print, new=True)
    for _ in range(n_matches - 1):
        keeper.note_row(0, HEADING_KIND, match_heading(MatchSettings(**names)))
    keeper.close()


def test_only_a_match_that_has_changed_is_read_again(log, read):
    begin(log, 3, white="Ada", black="Bert")
    shelf = MatchShelf(log, Orientation)
    assert [entry.number for entry in shelf.listed()] == [4, 3, 2, 1]
    assert read == [1, 2, 3, 4]
    shelf.listed()
    assert shelf.mark(2, deleted=True) is None
    assert [entry.number for entry in shelf.listed() if entry.is_deleted] == [2]
    begin(log, 1, white="Carl", black="Dora")
    assert [entry.white for entry in shelf.listed()][:2] == ["Carl", "Ada"]
    assert read == [1, 2, 3, 4, 2, 5]


def test_the_list_holds_no_games_and_a_match_that_is_looked_at_has_them(log, read):
    begin(log, 1, white="Ada", black="Bert")
    shelf = MatchShelf(log, Orientation)
    assert [kept.n_half_turns > 0 for kept in shelf._matches()] == [True, False]
    assert [kept.played.games for kept in shelf._matches()] == [(), ()]
    assert sum(len(game.turns) for game in shelf.match(1).games) == shelf._matches()[0].n_half_turns
    assert shelf.match(1)
    assert read == [1, 2, 1]
    assert shelf.match(9) is None


def test_a_match_that_is_looked_at_is_shown_as_it_is_now(log):
    begin(log, 1, white="Ada", black="Bert", length=5)
    shelf = MatchShelf(log, Orientation)
    assert [shelf.match(number).entry.length for number in (1, 2)] == ["money", "5 points"]
    assert not shelf.match(1).entry.is_deleted
    assert shelf.mark(1, deleted=True) is None
    assert shelf.match(1).entry.is_deleted


def test_what_is_written_while_the_log_is_open_is_listed_at_once(log):
    shelf, names = MatchShelf(log, Orientation), MatchSettings(white="Ada", black="Bert")
    with closing(MatchKeeper(log, names, print, new=True)) as keeper:
        assert len(shelf.listed()) == 2
        keeper.note_row(0, HEADING_KIND, match_heading(names))
        assert len(shelf.listed()) == 3


def test_every_half_turn_has_its_ids_and_the_shots_at_who_has_just_played(log):
    (kept,) = load_kept_matches(log)
    view = MatchShelf(log, Orientation).match(1)
    for game, played in zip(view.games, kept.played.games, strict=True):
        assert len(game.ids) == len(game.turns)
        left = [shots(turn.position, turn.player, MODERN).any_count for turn in played.turns]
        assert list(game.shots) == left
        assert any(left)


def test_the_photograph_beside_a_half_turn_in_hand_is_of_the_newest_match(log):
    begin(log, 1, white="Ada", black="Bert")
    shelf = MatchShelf(log, Orientation)
    for match, number in ((1, 1), (2, 2)):
        file = still_file(stills_folder(log), match, StillName(1, number, StillKind.TURN.value))
        file.parent.mkdir(parents=True)
        file.touch()
    assert [shelf.still_in_hand(1, number) for number in (1, 2)] == ["", "/stills/2/1/2/turn"]
