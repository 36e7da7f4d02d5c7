"""Boards and hall over a real mosquitto with TLS, users and access rules."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.club.hall_store.store_of_hall import sqlite_url
from controller.club.wire.board_messages import board_topic, packed
from controller.club.wire.board_publisher import BoardPublisher
from controller.club.wire.broker_files import board_names
from controller.club.wire.club_link import LEAST_KEEP_ALIVE_S, mqtt_client
from controller.club.wire.log_feed import kept_stream
from controller.record.safety.log_copies import back_up, restore
from sentences import say
from tests.broker import PATIENCE_S, Cable, broker
from tests.controller.club.simulated_boards import (
    ListeningHall,
    SimulatedBoard,
    played_moments,
    wait_until,
)
from tests.peers import require_peer

N_BOARDS = 100 if os.environ.get("BLOTLIGHT_PROOF") else 8
"""A hundred in `make proof`."""
NAMES = board_names(N_BOARDS)
THIRD, FOURTH, FIFTH, LAST = NAMES[2], NAMES[3], NAMES[4], NAMES[-1]


@pytest.fixture(scope="module")
def hall_broker():
    with broker(N_BOARDS) as found:
        yield found


@pytest.fixture
def hall(hall_broker, tmp_path):
    with listening_hall(hall_broker, sqlite_url(tmp_path / "hall.db")) as found:
        yield found


@contextmanager
def listening_hall(hall_broker, url):
    found = ListeningHall(url, hall_broker.link("hall"), N_BOARDS)
    try:
        wait_until(lambda: found.listener.is_connected)
        yield found
    finally:
        found.close()


@pytest.fixture
def boards(hall_broker, tmp_path):
    found = [SimulatedBoard(tmp_path, hall_broker.link(name)) for name in NAMES]
    yield found
    for board in found:
        board.close()


def wait_for_rows(hall, boards):
    """Wait until every row that the boards have written is kept, however slowly they come."""
    wait_until(
        lambda: all(hall.kept(board.name, board.stream) == board.wrote for board in boards),
        lambda: len(hall.rows),
    )


def test_every_row_arrives_once_and_in_order_and_the_boards_are_seen(hall_broker, url, boards):
    with listening_hall(hall_broker, url) as hall:
        for board in boards:
            board.come()
            board.play(5)
            board.show("hello")
        wait_for_rows(hall, boards)
        wait_until(lambda: all(one.state and one.is_online for one in hall.live.boards()))
        state = hall.board(boards[2].name).state
        assert [player["name"] for player in state["players"]] == ["Ada", "Bert"]
        assert hall.messages.n_ignored == {}
        boards[2].publisher.call_director()
        wait_until(lambda: hall.board(boards[2].name).is_called)
        assert not hall.board(boards[1].name).is_called


def test_nothing_is_lost_or_doubled_when_all_are_cut_off(hall_broker, url, boards):
    with listening_hall(hall_broker, url) as hall:
        for board in boards:
            board.come()
            board.play(3)
        wait_until(
            lambda: all(len(hall.kept(board.name, board.stream)) > 1 for board in boards),
            lambda: len(hall.rows),
        )
        hall_broker.kill()
        for board in boards:
            board.play(20)
            board.next_match()
            board.play(4)
        boards[0].go()
        hall_broker.start()
        for board in boards[1:]:
            board.play(5)
        boards[0].come()
        wait_for_rows(hall, boards)
    for board in boards:
        board.play(7)
    with listening_hall(hall_broker, url) as again:
        wait_for_rows(again, boards)
        streams = {board.stream for board in boards}
        assert sum(row.stream in streams for row in again.rows) <= 7 * N_BOARDS
    assert len(boards[3].wrote) == 1 + 3 + 20 + 1 + 4 + 5 + 7


def test_a_call_waits_for_the_director_also_when_the_hall_is_opened_again(hall_broker, boards, tmp_path):
    url = sqlite_url(tmp_path / "hall.db")
    board = boards[2]
    board.come()
    with listening_hall(hall_broker, url) as hall:
        board.publisher.call_director()
        wait_until(lambda: hall.board(board.name).is_called)
    with listening_hall(hall_broker, url) as again:
        wait_until(lambda: again.board(board.name).is_called)
        again.listener.end_call(board.name)
        wait_until(lambda: not again.board(board.name).is_called)
    with listening_hall(hall_broker, url) as third:
        board.show("hello")
        wait_until(lambda: third.board(board.name).state is not None)
        assert not third.board(board.name).is_called


def test_a_broker_with_old_access_rules_is_named_when_a_call_cannot_be_ended(tmp_path):
    line = f"topic write {board_topic('+', 'call')}"
    with broker(1) as old:
        old.kill()
        access = old.folder / "access"
        access.write_text(access.read_text().replace(f"{line}\n", ""))
        old.start()
        with listening_hall(old, sqlite_url(tmp_path / "hall.db")) as hall:
            assert hall.listener.problem is None
            hall.listener.end_call(NAMES[0])
            wait_until(lambda: hall.listener.problem == say("club_old_access", line=line))


def test_a_board_says_that_the_broker_is_away_when_it_never_was_there(hall_broker, hall, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        link = replace(hall_broker.link(FIFTH), port=nobody.getsockname()[1])
    said = []
    with closing(BoardPublisher(link, tmp_path / "log", {}, said.append)):
        wait_until(lambda: said)
    assert said == [say("club_lost")]


def test_a_board_whose_clock_is_late_is_heard(tmp_path):
    require_peer(shutil.which("faketime") is not None, "Debian's package faketime")
    with broker(N_BOARDS) as club, listening_hall(club, sqlite_url(tmp_path / "hall.db")) as hall:
        late = ["faketime", "-f", "-400d", sys.executable, "-m", "tests.controller.club.playing_board"]
        link = club.folder / "links" / f"{NAMES[0]}.toml"
        board = subprocess.Popen(
            [*late, str(tmp_path), str(link)], stdout=subprocess.DEVNULL, start_new_session=True
        )
        try:
            wait_until(lambda: hall.board(NAMES[0]).is_online)
        finally:
            os.killpg(board.pid, signal.SIGKILL)
            board.wait()


def test_two_boards_with_one_link_are_told_so_once_and_nothing_is_lost(hall_broker, hall, tmp_path):
    link, said = hall_broker.link(FIFTH), []
    with ExitStack() as cleaning:
        both = [SimulatedBoard(tmp_path / name, link) for name in ("one", "other")]
        for board in both:
            cleaning.enter_context(closing(board))
            board.publisher = BoardPublisher(link, board.log, {}, said.append)
            board.play(3)
        wait_for_rows(hall, both)
        wait_until(lambda: said.count(say("club_link_twice", user=FIFTH)) == len(both))
        for board in both:
            board.play(3)
        wait_for_rows(hall, both)
    assert said.count(say("club_link_twice", user=FIFTH)) == len(both)


def test_a_hall_that_the_broker_refuses_knows_why(hall_broker, tmp_path):
    link = replace(hall_broker.link("hall"), password="wrong")
    hall = ListeningHall(sqlite_url(tmp_path / "hall.db"), link)
    with closing(hall):
        wait_until(lambda: hall.listener.problem is not None)
        assert hall.listener.problem == say("club_refused", reason="Not authorized")


def test_a_state_is_sent_again_only_when_it_shows_something_else(hall_broker, hall, tmp_path):
    with closing(SimulatedBoard(tmp_path, hall_broker.link(LAST))) as board:
        board.come()

        def shown_ms():
            return hall.board(LAST).state and hall.board(LAST).state["t_ms"]

        first, other = played_moments()[0][:2]
        board.publisher.publish(replace(first, t_ms=1))
        wait_until(lambda: shown_ms() == 1)
        hall.listener.end_call(LAST)
        wait_until(lambda: not hall.board(LAST).is_called)
        board.publisher.publish(replace(first, t_ms=2, state=replace(first.state)))
        board.publisher.call_director()
        wait_until(lambda: hall.board(LAST).is_called)
        assert shown_ms() == 1
        board.publisher.publish(replace(other, t_ms=3))
        wait_until(lambda: shown_ms() == 3)


def open_sockets():
    links = [os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    return sum(os.path.exists(link) and os.readlink(link).startswith("socket") for link in links)


def test_a_board_that_has_gone_leaves_no_socket(hall_broker, hall, tmp_path):
    """A thousand descriptors left open by those who have gone would keep all others from the broker."""
    before = open_sockets()
    board = SimulatedBoard(tmp_path, hall_broker.link(LAST))
    board.come()
    wait_until(lambda: hall.board(LAST).is_online)
    assert open_sockets() > before
    board.close()
    assert open_sockets() == before


def test_a_hall_that_has_lost_its_store_gets_the_match_in_hand(hall_broker, boards, tmp_path):
    board = boards[0]
    board.play(4)
    board.next_match()
    board.play(2)
    board.come()
    with listening_hall(hall_broker, sqlite_url(tmp_path / "new.db")) as hall:
        wait_until(
            lambda: hall.kept(board.name, board.stream) == [place for place in board.wrote if place[0] == 2]
        )


def test_a_log_that_was_restored_from_a_copy_arrives_as_another_one(hall_broker, hall, tmp_path):
    """The hall has rows that the log has lost. New rows with their numbers are no repetitions of them."""
    link = hall_broker.link(LAST)
    with closing(SimulatedBoard(tmp_path, link)) as before:
        before.play(2)
        copy = tmp_path / "copy.db"
        back_up(before.log, copy)
        before.play(4)
        before.come()
        wait_for_rows(hall, [before])
    restore(copy, before.log)
    with closing(SimulatedBoard(tmp_path, link, resumed=True)) as board:
        assert (board.stream, len(board.wrote)) == (before.stream, 3)
        board.come()
        wait_until(lambda: kept_stream(board.log.parent) != before.stream)
        board.stream = kept_stream(board.log.parent)
        board.play(9)
        wait_for_rows(hall, [board])
    assert hall.kept(LAST, before.stream) == before.wrote


def playing_board(folder, link_file):
    """A board in a process of its own, and the rows that it has written are lines of its output."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.controller.club.playing_board", str(folder), str(link_file)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_board_that_is_killed_goes_on_where_the_hall_is(hall_broker, hall, tmp_path):
    """Killed as by a power cut: its process ends while it writes and sends."""
    link = hall_broker.folder / "links" / f"{LAST}.toml"
    wrote = 0
    for _ in range(2):
        process = playing_board(tmp_path, link)
        while wrote < 60 or wrote % 60:
            wrote = int(process.stdout.readline())
        process.kill()
        process.wait(PATIENCE_S)
        process.stdout.close()
        wrote += 1
    board = SimulatedBoard(tmp_path, hall_broker.link(LAST), resumed=True)
    board.come()
    try:
        wait_for_rows(hall, [board])
        assert len(board.wrote) > 100
    finally:
        board.close()


def test_a_board_that_falls_silent_shows_as_lost_within_the_keep_alive(hall_broker, hall, tmp_path):
    """One process stands still; to another board the line is cut, so that nobody says good-bye.

    Nothing is lost by it: both play on, and what they have played arrives.
    """
    links = hall_broker.folder / "links"
    with Cable(hall_broker.port) as cable, ExitStack() as cleaning:
        cut_link = replace(hall_broker.link(FOURTH), port=cable.port, keep_alive_s=LEAST_KEEP_ALIVE_S)
        cut_off = cleaning.enter_context(closing(SimulatedBoard(tmp_path, cut_link)))
        cut_off.come()
        text = (links / f"{THIRD}.toml").read_text(encoding="utf-8")
        (tmp_path / "link.toml").write_text(
            text.replace("port =", f"keep_alive_s = {LEAST_KEEP_ALIVE_S}\nport ="), encoding="utf-8"
        )
        stopped = cleaning.enter_context(playing_board(tmp_path, tmp_path / "link.toml"))
        cleaning.callback(stopped.kill)
        wait_until(lambda: hall.board(THIRD).is_online and hall.board(FOURTH).is_online)
        stopped.send_signal(signal.SIGSTOP)
        cable.cut()
        began_s = time.monotonic()
        cut_off.play(5)
        lost_s = {}
        while len(lost_s) < 2:
            silent_s = time.monotonic() - began_s
            lost_s |= {name: silent_s for name in (THIRD, FOURTH) if not hall.board(name).is_online}
            assert silent_s < 3 * LEAST_KEEP_ALIVE_S, lost_s
            time.sleep(0.02)
        assert max(lost_s.values()) <= LEAST_KEEP_ALIVE_S, lost_s
        assert min(lost_s.values()) > cut_link.mqtt_keep_alive_s, lost_s
        stopped.send_signal(signal.SIGCONT)
        cable.mend()
        wait_until(lambda: hall.board(THIRD).is_online and hall.board(FOURTH).is_online)
        wait_for_rows(hall, [cut_off])


def test_a_board_cannot_speak_as_another_one_or_hear_it(hall_broker, hall):
    client = mqtt_client(hall_broker.link(FOURTH), keeps_session=False)
    heard = []
    client.on_message = lambda _client, _data, message: heard.append(message.topic)
    client.on_connect = lambda one, *_: one.subscribe([("blotlight/1/#", 1), ("$SYS/#", 1)])
    client.loop_start()
    try:
        wait_until(client.is_connected)
        message = packed(online=True, stream="forged")
        for topic in (
            board_topic(FIFTH, "status"),
            f"blotlight/1/have/{FOURTH}",
            f"blotlight/1/boards/{FOURTH}/else",
            f"homeassistant/device/blotlight_{FIFTH}/config",
        ):
            client.publish(topic, message, 1, retain=True).wait_for_publish(10)
        client.publish(board_topic(FOURTH, "status"), message, 1, retain=True).wait_for_publish(10)
        wait_until(lambda: hall.board(FOURTH).is_online)
        assert not hall.board(FIFTH).is_online
        assert {topic for topic in heard if not topic.endswith(f"have/{FOURTH}")} == set()
    finally:
        client.disconnect()
        client.loop_stop()


def refusal(hall_broker, *, password=None, user=NAMES[0]):
    """Why the broker refuses a client; None when it lets it in."""
    link = hall_broker.link(NAMES[0])
    answers = []
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="stranger", protocol=mqtt.MQTTv5)
    client.on_connect = lambda _client, _data, _flags, reason, _properties: answers.append(reason)
    if password is not None:
        client.username_pw_set(user, password)
    client.tls_set_context(ssl.create_default_context(cadata=link.ca_pem))
    client.connect(link.host, link.port)
    client.loop_start()
    wait_until(lambda: answers)
    client.disconnect()
    client.loop_stop()
    return str(answers[0]) if answers[0].is_failure else None


def test_nobody_comes_in_without_the_right_key(hall_broker):
    good = hall_broker.link(NAMES[0]).password
    assert refusal(hall_broker, password=good) is None
    assert refusal(hall_broker, password="wrong") == "Not authorized"
    assert refusal(hall_broker, password=good, user=NAMES[1]) == "Not authorized"
    assert refusal(hall_broker) == "Not authorized"


def test_a_broker_that_the_club_has_not_made_is_not_believed(hall_broker):
    with socket.create_connection(("127.0.0.1", hall_broker.port)) as line, pytest.raises(ssl.SSLError):
        ssl.create_default_context().wrap_socket(line, server_hostname="127.0.0.1")
