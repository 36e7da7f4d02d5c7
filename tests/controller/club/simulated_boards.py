"""Boards that play, to a hall, without cameras: their states were taken from a game at a simulated table."""

import time
from dataclasses import replace
from functools import cache

from controller.club.hall.hall_listener import HallListener, HallMessages
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import RowIntake
from controller.club.hall_store.store_of_hall import HallStore
from controller.club.wire.board_publisher import BoardPublisher
from controller.club.wire.broker_files import board_names
from controller.club.wire.log_feed import kept_stream
from controller.page.moment import Moment, Told
from controller.perception.orientation import Orientation
from controller.record.journal import KINDS, effect_payload
from controller.record.store import Store
from controller.rules import Dice, Player, Position, legal_plays
from tests.controller.referee.table import Table

PATIENCE_S = 60
THROWS = ((3, 1), (6, 4), (5, 2), (6, 1), (4, 2))


@cache
def played_moments():
    """The moments of a few half-turns, and their effects as (time, kind, payload) of the log."""
    table = Table()
    states = [table.state]
    position = Position.START
    for number, (first, second) in enumerate(THROWS):
        player = Player.WHITE if number % 2 == 0 else Player.BLACK
        position = next(iter(legal_plays(position, player, Dice(first, second)))).result
        table.play(first, second, str(position))
        states.append(table.state)
    moments = [Moment(t_ms=0, state=state, orientation=Orientation()) for state in states]
    rows = [(one.t_ms, KINDS[type(one)], effect_payload(one)) for one in table.effects]
    assert len(table.plays) >= len(THROWS) - 1
    return moments, rows


def wait_until(is_so, come=lambda: None):
    """Wait as long as something comes. come: counts what has come."""
    n_come, news_s = come(), time.monotonic()
    while not is_so():
        if come() != n_come:
            n_come, news_s = come(), time.monotonic()
        assert time.monotonic() < news_s + PATIENCE_S, f"it never was so; come: {n_come}"
        time.sleep(0.02)


class SimulatedBoard:
    """A board whose log grows by `play`. It can be cut off and come back."""

    def __init__(self, folder, link, *, white="Ada", black="Bert", length=5, resumed=False):
        self.name = link.user
        self._folder = folder / link.user
        self.stream = kept_stream(self._folder)
        self._link = link
        self._names = {Player.WHITE: white, Player.BLACK: black}
        self._length = length
        self.log = self._folder / "blotlight.db"
        self._store = Store(self.log)
        self._n_told = 0
        self.wrote = []
        self.publisher = None
        numbers = self._store.matches()
        if resumed and numbers:
            self._match = self._store.match(numbers[-1])
            self.wrote = [
                (number, entry.seq) for number in numbers for entry in self._store.match(number).entries()
            ]
            return
        self._match = self._store.new_match()
        self._append(0, "match", {"white": white, "black": black, "length": length, "laws": "modern"})

    def come(self):
        self.publisher = BoardPublisher(self._link, self.log, self._names)

    def go(self):
        self.publisher.close()
        self.publisher = None

    def _append(self, t_ms, kind, payload):
        entry = self._match.append(t_ms, kind, payload)
        self.wrote.append((self._match.number, entry.seq))

    def next_match(self):
        self._match = self._store.new_match()
        names = {"white": self._names[Player.WHITE], "black": self._names[Player.BLACK]}
        self._append(0, "match", {**names, "length": self._length, "laws": "modern"})

    def play(self, n_rows=1):
        """Write rows of a game into the log."""
        _, rows = played_moments()
        for _ in range(n_rows):
            self._append(*rows[len(self.wrote) % len(rows)])

    def win(self, score):
        """End the match: White's points, Black's points."""
        winner = "white" if score[0] > score[1] else "black"
        row = {"winner": winner, "win": "single", "points": 1, "score": list(score), "match_over": True}
        self._append(99_000, "won", row)

    def show(self, text):
        """Show a moment that nobody has seen yet. Its time is that of now, in ms."""
        moments, _ = played_moments()
        self._n_told += 1
        t_ms = round(time.time() * 1000)
        told = (Told(number=self._n_told, t_ms=t_ms, what=text),)
        moment = replace(moments[self._n_told % len(moments)], t_ms=t_ms, told=told)
        self.publisher.publish(moment)

    def close(self):
        if self.publisher is not None:
            self.go()
        self._store.close()


class ListeningHall:
    """A hall at a broker: its store, its boards, what it was told."""

    def __init__(self, url, link, n_boards=2, delay_s=0.0):
        self.store = HallStore(url)
        tables = {name: table for table, name in enumerate(board_names(n_boards), start=1)}
        self.live = LiveBoards(tables, delay_s)
        self.intake = RowIntake(self.store)
        self.messages = HallMessages(self.intake, self.live)
        self.rows = []
        self.listener = HallListener(link, self.messages, self.rows.extend)

    def board(self, name):
        return next(one for one in self.live.boards() if one.board == name)

    def kept(self, board, stream=None):
        """(match, seq) of every row that is kept of a board, or of one log of it, in order."""
        return [
            (row.place.match, row.place.seq)
            for match in self.store.matches()
            if match.board == board and stream in (None, match.stream)
            for row in self.store.rows(match)
        ]

    def close(self):
        self.listener.close()
        self.store.close()
