"""The counters, as Prometheus' own parser reads them."""

import re

import numpy as np
from prometheus_client.parser import text_string_to_metric_families

from controller.referee import HalfTurn, OffenceShown, Question, TurnRecorded
from controller.rules import Offence, OffenceKind, Player, Position
from controller.service.health.counters import Counters, margin_nats, processor_celsius
from tests.paths import ROOT
from vision.board_reading import MAX_COUNT, N_POINTS, BoardReading, refused_reading

TURN = HalfTurn(t_ms=1, player=Player.WHITE, dice=None, steps=(), legal=True, position=Position.START)


def read(counters, celsius=None):
    """Value by name and labels."""
    families = text_string_to_metric_families(counters.text(lambda: celsius))
    return {
        (sample.name, *sample.labels.values()): (sample.value, family.type)
        for family in families
        for sample in family.samples
    }


def reading(likelihoods):
    """A board whose every place is read like this, its last place seen best."""
    points = np.full((N_POINTS, 2 * MAX_COUNT + 1), -20.0)
    points[:, 15], points[:, 16] = likelihoods
    points[-1, 15] = 5.0
    return BoardReading(points=points, bar=np.zeros((2, MAX_COUNT + 1)), unseen=frozenset({0}))


def test_what_the_referee_did_is_counted_once():
    counters = Counters()
    counters.note(TurnRecorded(t_ms=1, index=0, turn=TURN))
    counters.note(TurnRecorded(t_ms=2, index=0, turn=TURN, mended=True))
    offence = Offence(kind=OffenceKind.WRONG_DISTANCE, places=())
    counters.note(OffenceShown(t_ms=3, index=1, player=Player.BLACK, offences=(offence,)))
    counters.note(Question(t_ms=4, index=1, candidates=(TURN, TURN)))
    found = read(counters)
    assert found["blotlight_half_turns_total",] == (1, "counter")
    assert found["blotlight_offences_total",] == (1, "counter")
    assert found["blotlight_questions_total",] == (1, "counter")


def test_a_frame_that_cannot_be_read_is_no_reading_and_keeps_the_margin():
    counters = Counters()
    counters.note_frame(reading((-0.5, -3.0)))
    counters.note_frame(refused_reading("too dark"))
    counters.note_frame(None)
    found = read(counters)
    assert found["blotlight_frames_total",] == (3, "counter")
    assert found["blotlight_readings_total",] == (1, "counter")
    assert found["blotlight_reading_margin_nats",] == (2.5, "gauge")


def test_the_margin_is_that_of_the_least_sure_place_that_is_seen():
    doubtful = reading((-0.5, -3.0))
    doubtful.points[0, 16] = -0.5  # hidden, and so no doubt of the reader
    assert margin_nats(doubtful) == 2.5
    doubtful.points[7, 16] = -0.75
    assert margin_nats(doubtful) == 0.25


def test_devices_that_came_back_are_counted_apart():
    counters = Counters()
    counters.note_found("dice")
    counters.note_found("dice")
    found = read(counters)
    assert found["blotlight_reconnects_total", "dice"] == (2, "counter")
    assert found["blotlight_reconnects_total", "camera"] == (0, "counter")


def test_the_temperature_stands_there_where_it_is_measured(tmp_path):
    (tmp_path / "temp").write_text("51234\n")
    assert processor_celsius(tmp_path / "temp") == 51.234
    assert processor_celsius(tmp_path / "none") is None
    assert read(Counters(), 51.234)["blotlight_temperature_celsius",] == (51.234, "gauge")
    assert ("blotlight_temperature_celsius",) not in read(Counters())


def test_the_page_of_the_service_lists_every_counter():
    counters = Counters(margin_nats=1.0, pictures_a_second=5.0)
    page = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(blotlight_\w+)`", page))
    assert listed == {name for name, *_ in read(counters, 50.0)}
