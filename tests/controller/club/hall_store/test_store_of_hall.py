"""The hall's store: the same on SQLite and on a real PostgreSQL."""

import os
import signal
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from controller.club.hall_store.schema_steps import SCHEMA_STEPS, bring_up_to_date
from controller.club.hall_store.store_of_hall import (
    BoardMatch,
    BoardRow,
    ChangedMeanwhile,
    HallStore,
    LogPlace,
)
from controller.club.tournament.changes import after_changes
from controller.club.tournament.tournament import Plan, System
from controller.errors import InputError, WorkError
from tests.postgres import emptied


@pytest.fixture
def store(url):
    found = HallStore(url)
    yield found
    found.close()


def row(seq, *, board="board-01", match=1, stream="a", **payload):
    return BoardRow(
        board=board, stream=stream, place=LogPlace(match, seq), t_ms=seq, kind="half-turn", payload=payload
    )


def test_rows_come_back_in_order_with_what_they_say(store):
    store.add_rows([row(1, text="ä ☃"), row(2), row(1, board="board-02"), row(3), row(1, match=2)])
    assert store.matches() == [
        BoardMatch(board="board-01", stream="a", match=1),
        BoardMatch(board="board-01", stream="a", match=2),
        BoardMatch(board="board-02", stream="a", match=1),
    ]
    kept = store.rows(BoardMatch(board="board-01", stream="a", match=1))
    assert [one.place.seq for one in kept] == [1, 2, 3]
    assert kept[0].payload == {"text": "ä ☃"}
    assert store.positions() == {
        ("board-01", "a"): LogPlace(2, 1),
        ("board-02", "a"): LogPlace(1, 1),
    }


def test_rows_are_kept_all_or_none(store):
    store.add_rows([row(1), row(2)])
    with pytest.raises(WorkError, match="database"):
        store.add_rows([row(3), row(2)])
    assert [one.place.seq for one in store.rows(store.matches()[0])] == [1, 2]
    assert store.positions()["board-01", "a"] == LogPlace(1, 2)


def test_a_tournament_is_its_plan_and_its_changes(store, url):
    plan = Plan(name="Club", system=System.SWISS, lengths=(5, 7), n_rounds=3)
    number = store.add_tournament(plan)
    for at, change in enumerate(
        ({"do": "enter", "name": "Ada"}, {"do": "enter", "name": "Bert"}, {"do": "draw"}), start=1
    ):
        store.add_change(number, at, 1000 * at, change)
    with pytest.raises(ChangedMeanwhile):
        store.add_change(number, 3, 9, {"do": "draw"})
    again = HallStore(url)
    kept_plan, changes = again.tournaments()[number]
    assert kept_plan == plan
    assert [at_ms for at_ms, _ in changes] == [1000, 2000, 3000]
    assert len(after_changes(kept_plan, [change for _, change in changes]).open_fixtures) == 1
    again.close()
    assert store.add_tournament(plan) == number + 1


@pytest.mark.parametrize("version", range(1, len(SCHEMA_STEPS) + 1))
def test_a_store_of_an_earlier_version_is_brought_up_to_date_with_what_it_holds(url, version):
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        bring_up_to_date(connection, SCHEMA_STEPS[:version])
        plan = '{"name":"Old","system":"swiss","lengths":[5]}'
        connection.execute(text("INSERT INTO tournaments (number, plan) VALUES (1, :plan)"), {"plan": plan})
    engine.dispose()
    store = HallStore(url)
    assert store.tournaments()[1][0].name == "Old"
    store.add_change(1, 1, 5, {"do": "enter", "name": "Ada"})
    assert store.tournaments()[1][1] == [(5, {"do": "enter", "name": "Ada"})]
    store.close()


def test_a_store_of_a_later_version_is_left_alone(url):
    HallStore(url).close()
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO hall_schema VALUES (99)"))
    engine.dispose()
    with pytest.raises(WorkError, match="newer"):
        HallStore(url)


@pytest.mark.parametrize("wrong", ["", "hall.db", "mysql://x/y", "sqlite+nothing:///x"])
def test_what_is_no_url_is_refused(wrong):
    with pytest.raises(InputError, match="sqlite:///"):
        HallStore(wrong)


def test_a_database_that_is_not_there_is_named():
    with pytest.raises(WorkError, match="database"):
        HallStore("postgresql://hall@/nothing?host=/nowhere")


def stop(process):
    """Stop a process and wait until it stands still."""
    os.kill(process, signal.SIGSTOP)
    state = Path(f"/proc/{process}/stat")
    while state.read_text().rpartition(")")[2].split()[0] not in ("T", "Z"):
        time.sleep(0.001)


@contextmanager
def frozen(url):
    """All processes of PostgreSQL stopped: its computer still accepts connections, and nobody answers.

    The main process stops first and goes on last. While it stands still, no number of a child that has
    ended is given up.
    """
    main = int((Path(url.partition("host=")[2]) / "pg" / "postmaster.pid").read_text().split()[0])
    stop(main)
    children = [int(child) for child in Path(f"/proc/{main}/task/{main}/children").read_text().split()]
    try:
        for child in children:
            stop(child)
        yield
    finally:
        for process in (*children, main):
            os.kill(process, signal.SIGCONT)


def test_a_frozen_database_gives_one_sentence_and_serves_again_when_it_is_back(postgres_url, monkeypatch):
    monkeypatch.setattr("controller.club.hall_store.patient_connection.SILENT_S", 1.0)
    monkeypatch.setattr("controller.club.hall_store.patient_connection.CONNECT_S", 2)
    emptied(postgres_url)
    plan = Plan(name="Club", system=System.SWISS)
    store = HallStore(postgres_url)
    with frozen(postgres_url):
        for refused in (lambda: store.add_tournament(plan), lambda: HallStore(postgres_url)):
            with pytest.raises(WorkError, match=r"connection timeout expired\. Check its address") as said:
                refused()
            assert len(str(said.value).splitlines()) == 1
    assert store.add_tournament(plan) == 1
    with (
        pytest.raises(WorkError, match=r"no answer within 1 s\. Check its address"),
        store._working() as working,
        frozen(postgres_url),
    ):
        working.execute(text("SELECT 1"))
    assert store.add_tournament(plan) == 2
    store.close()
