"""Which rows of a log are sent, whatever the broker loses."""

import threading
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.hall.hall_listener import HallMessages
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import MOST_WAITING, RowIntake
from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace
from controller.club.wire.board_messages import HaveMessage, LogMessage, board_topic, packed_row
from controller.club.wire.log_feed import (
    MOST_UNDERWAY,
    RESEND_S,
    STREAM_FILE,
    LogFeed,
    kept_stream,
    new_stream,
)
from controller.errors import WorkError
from controller.record.store import Store


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "blotlight.db")
    yield found
    found.close()


def places(messages):
    return [(one.row.place.match, one.row.place.seq) for one in messages]


def test_rows_are_sent_once_until_they_are_missed(store):
    log = store.new_match()
    for n in range(3):
        log.append(n, "roll", {})
    feed = LogFeed("board-01", "a", store)
    assert places(feed.due(0.0)) == [(1, 0), (1, 1), (1, 2)]
    assert places(feed.due(1.0)) == []
    feed.heard(HaveMessage(stream="a", place=LogPlace(1, 1)), 1.0)
    assert places(feed.due(1.0)) == [(1, 2)]
    assert places(feed.due(1.0 + RESEND_S)) == [(1, 2)]
    feed.heard(HaveMessage(stream="a", place=LogPlace(1, 2)), 7.0)
    assert places(feed.due(100.0)) == []
    log.append(3, "roll", {})
    assert places(feed.due(200.0)) == [(1, 3)]
    assert places(feed.due(201.0)) == [], "what was sent long ago was confirmed"
    assert places(feed.due(200.0 + RESEND_S)) == [(1, 3)]


def test_what_the_hall_never_heard_of_begins_with_the_match_in_hand(store):
    for _ in range(2):
        log = store.new_match()
        log.append(0, "match", {})
        log.append(1, "roll", {})
    feed = LogFeed("board-01", "a", store)
    feed.heard(HaveMessage(stream="another log", place=LogPlace(9, 9)), 0.0)
    first, second = feed.due(0.0)
    assert (first.row.place, first.after) == (LogPlace(2, 0), LogPlace(1, 1))
    assert second.after == LogPlace(2, 0)


def test_a_log_that_has_lost_what_the_hall_has_begins_anew_under_another_name(store):
    logged(store, 3, 2)
    feed = LogFeed("board-01", "a", store)
    for match, seq, is_lost in ((1, 2, False), (1, 3, True), (2, 1, False), (2, 2, True), (3, 0, True)):
        assert feed.lacks(HaveMessage(stream="a", place=LogPlace(match, seq))) is is_lost
    assert not feed.lacks(HaveMessage(stream="another log", place=LogPlace(9, 9)))
    assert not feed.lacks(HaveMessage(stream="a", place=None))
    feed.begin_as("b", 0.0)
    assert [(one.row.stream, one.row.place) for one in feed.due(0.0)] == [
        ("b", LogPlace(2, 0)),
        ("b", LogPlace(2, 1)),
    ]


def test_a_board_on_a_full_disk_has_a_log_all_the_same(tmp_path):
    (tmp_path / "no folder").write_text("")
    assert kept_stream(tmp_path / "no folder")


def test_no_more_is_underway_than_the_hall_can_be_behind(store):
    log = store.new_match()
    for n in range(MOST_UNDERWAY + 50):
        log.append(n, "roll", {})
    feed = LogFeed("board-01", "a", store)
    assert len(list(feed.due(0.0))) == MOST_UNDERWAY
    feed.heard(HaveMessage(stream="a", place=LogPlace(1, 9)), 0.0)
    assert len(list(feed.due(0.0))) == MOST_UNDERWAY
    feed.heard(HaveMessage(stream="a", place=LogPlace(1, 19)), 0.0)
    assert len(list(feed.due(0.0))) == 10


def message(seq: int, match: int = 1) -> LogMessage:
    """A row of a log of one match, or the first one of a later match."""
    row = BoardRow(board="board-01", stream="a", place=LogPlace(match, seq), t_ms=0, kind="roll", payload={})
    return LogMessage(row=row, after=LogPlace(match, seq - 1) if seq else LogPlace(match - 1, 5))


def test_a_row_is_confirmed_once_it_is_kept_and_too_many_do_not_wait():
    with closing(HallStore("sqlite://")) as store:
        intake = RowIntake(store)
        assert all(intake.take(message(seq)) for seq in range(MOST_WAITING))
        assert not intake.take(message(MOST_WAITING))
        assert intake.have("board-01", "a").place is None
        intake.keep()
        assert intake.have("board-01", "a").place == LogPlace(1, MOST_WAITING - 1)
        assert intake.take(message(MOST_WAITING))


@pytest.mark.parametrize(("first", "is_taken"), [(message(3), False), (message(0, match=2), True)])
def test_a_log_that_the_hall_does_not_know_begins_with_the_first_row_of_a_match(first, is_taken):
    with closing(HallStore("sqlite://")) as store:
        assert RowIntake(store).take(first) is is_taken


def test_a_new_log_has_another_name(tmp_path):
    first = kept_stream(tmp_path / "one")
    assert kept_stream(tmp_path / "one") == first
    assert kept_stream(tmp_path / "two") != first


def test_who_reads_the_name_while_it_changes_finds_the_old_or_the_new_one(tmp_path):
    names, read = {kept_stream(tmp_path)}, set()
    ended = threading.Event()

    def read_names():
        while not ended.is_set():
            read.add(kept_stream(tmp_path))

    reader = threading.Thread(target=read_names)
    reader.start()
    names |= {new_stream(tmp_path) for _ in range(2000)}
    ended.set()
    reader.join()
    assert read
    assert read <= names


@pytest.mark.parametrize("torn", ["", "ab12", "\xff" * 24])
def test_a_log_whose_name_was_torn_by_a_power_cut_gets_another_and_keeps_it(tmp_path, torn):
    (tmp_path / STREAM_FILE).write_text(torn, encoding="latin-1")
    name = kept_stream(tmp_path)
    assert name != torn
    assert kept_stream(tmp_path) == name


class WholeLine:
    """A line that loses nothing, between feeds of one board and a hall."""

    def __init__(self):
        self.store = HallStore("sqlite://")
        self.messages = HallMessages(RowIntake(self.store), LiveBoards({"board-01": 1}))

    def carry(self, feed, now_s, n_turns=4):
        for _ in range(n_turns):
            for message in feed.due(now_s):
                self.messages.handle(board_topic("board-01", "log"), packed_row(message))
            for have in self.messages.keep()[1].values():
                feed.heard(have, now_s)

    def kept(self, stream):
        return [
            (row.place.match, row.place.seq)
            for match in self.store.matches()
            if match.stream == stream
            for row in self.store.rows(match)
        ]


def logged(store, *n_rows):
    """Write matches of so many rows. Returns all places."""
    for n in n_rows:
        log = store.new_match()
        for t_ms in range(n):
            log.append(t_ms, "roll", {})
    return [(number, entry.seq) for number in store.matches() for entry in store.match(number).entries()]


def test_each_of_two_logs_that_take_turns_at_a_board_is_kept_once(store, tmp_path):
    """As where two people bring their own computers, or the broker brings an old log late."""
    line = WholeLine()
    with closing(Store(tmp_path / "other.db")) as other:
        wrote = {"a": logged(store, 3), "b": logged(other, 2)}
        line.carry(LogFeed("board-01", "a", store), 0.0)
        line.carry(LogFeed("board-01", "b", other), 0.0)
        wrote |= {"a": logged(store, 4, 5), "b": logged(other, 6)}
        line.carry(LogFeed("board-01", "a", store), 1.0)
        line.carry(LogFeed("board-01", "b", other), 1.0)
        assert {stream: line.kept(stream) for stream in "ab"} == wrote
    assert line.messages.refused is None
    line.store.close()


def test_a_board_that_has_heard_something_old_is_told_where_the_hall_is(store):
    line, feed = WholeLine(), LogFeed("board-01", "a", store)
    logged(store, 2 * MOST_UNDERWAY)
    line.carry(feed, 0.0)
    feed.heard(HaveMessage(stream="a", place=LogPlace(1, 3)), 1.0)
    wrote = logged(store, 5)
    line.carry(feed, 1.0)
    assert line.kept("a") == wrote
    line.store.close()


def test_rows_wait_while_the_database_refuses_and_whoever_opened_the_hall_can_be_told(store, monkeypatch):
    line, feed = WholeLine(), LogFeed("board-01", "a", store)
    wrote = logged(store, 3)
    with monkeypatch.context() as patched:
        patched.setattr(line.store, "add_rows", Mock(side_effect=WorkError("The database refuses.")))
        line.carry(feed, 0.0)
        assert str(line.messages.refused) == "The database refuses."
    line.carry(feed, 1.0)
    assert line.messages.refused is None
    assert line.kept("a") == wrote
    line.store.close()


def test_rows_that_the_database_has_stored_without_saying_so_are_kept_once(store, monkeypatch):
    """As where the connection to PostgreSQL breaks between the commit and its answer."""
    line, feed = WholeLine(), LogFeed("board-01", "a", store)
    wrote = logged(store, 3)
    add_rows = line.store.add_rows

    def stored_without_answer(*rows):
        add_rows(*rows)
        raise WorkError("The database refuses.")

    with monkeypatch.context() as patched:
        patched.setattr(line.store, "add_rows", stored_without_answer)
        line.carry(feed, 0.0, n_turns=1)
    assert line.kept("a") == wrote
    noted = line.messages.keep()[0]
    assert [(row.place.match, row.place.seq) for row in noted] == wrote
    assert line.messages.refused is None
    wrote = logged(store, 2)
    line.carry(feed, 10.0)
    assert line.kept("a") == wrote
    line.store.close()


STEPS_OF_A_LINE = st.lists(
    st.sampled_from(["write", "match", "send", "lose", "hear", "connect", "hall", "wait"]), max_size=40
)


@settings(max_examples=40, deadline=None)
@given(STEPS_OF_A_LINE, st.randoms())
def test_every_row_is_kept_once_and_in_order_whatever_is_lost(happenings, chance):
    """`lose` drops, doubles and turns round what is underway both ways; `hall` ends the hall and opens it."""
    store, hall_store = Store(Path(":memory:")), HallStore("sqlite://")
    feed, intake = LogFeed("board-01", "a", store), RowIntake(hall_store)
    log, now_s, wrote = store.new_match(), 0.0, []
    up, down = [], [HaveMessage(stream="a", place=None)]

    def write():
        wrote.append((log.number, log.append(0, "roll", {}).seq))

    def keep():
        _, heard = intake.keep()
        down.extend(heard.values())

    write()
    for what in [*happenings, *["connect", "send", "hear", "wait"] * 6]:
        now_s += 0.1
        match what:
            case "write":
                write()
            case "match":
                log = store.new_match()
                write()
            case "send":
                up += feed.due(now_s)
            case "lose":
                up = [one for one in up for _ in range(chance.choice([0, 1, 1, 2]))]
                chance.shuffle(up)
                down = [one for one in down if chance.random() < 0.5]
            case "hear":
                for message in up:
                    intake.take(message)
                keep()
                for have in down:
                    feed.heard(have, now_s)
                up, down = [], []
            case "connect":
                up, down = [], [intake.have("board-01", "a")]
                feed.connected(now_s)
            case "hall":
                intake = RowIntake(hall_store)
            case "wait":
                now_s += RESEND_S
    kept = [(row.place.match, row.place.seq) for one in hall_store.matches() for row in hall_store.rows(one)]
    first = kept[0][0]
    assert kept == [place for place in wrote if place[0] >= first]
    store.close()
    hall_store.close()
