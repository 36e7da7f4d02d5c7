"""What spectators get who see the game later than the players."""

import asyncio
import gc
import json
import weakref
from dataclasses import dataclass, replace

import httpx
import numpy as np
import pytest

from controller.page import feed as feeding
from controller.page.camera_view import CameraView
from controller.page.feed import MOST_WATCHERS, Feed
from controller.page.matches.match_views import MatchShelf
from controller.page.moment import Moment, Picture, Told
from controller.page.page_routes import PageRoutes
from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.referee import Lamp, Meaning, Mode, RefereeState
from controller.referee.words.sentences import Speech
from controller.rules import Place
from controller.service.display import Asked, DeviceState
from controller.service.setup.setup_desk import SetupDraft, SetupState
from controller.service.setup.setup_words import SetupStep
from hardware.camera import Frame
from tests.controller.page.paged_table import paged_table
from tests.hardware.hand_clock import HandClock

TOKEN = "t" * 22
DRAFT = SetupDraft(
    board=BoardSettings(corners_px=None, bar=(0.46, 0.54), orientation=Orientation(), home_known=False),
    match=MatchSettings(),
    mode=Mode.CLUB,
)


@dataclass
class Shown:
    t_ms: int


def late_feed(clock, delay_s):
    return Feed(lambda moment: Shown(moment.t_ms), delay_s=delay_s, clock_s=lambda: clock.t_ms / 1000)


def with_token(token):
    return {"x-blotlight-token": token}


def answer(routes, path, headers):
    async def asked():
        transport = httpx.ASGITransport(app=routes.app(), client=("127.0.0.1", 1))
        async with httpx.AsyncClient(base_url="http://127.0.0.1", transport=transport) as client:
            return await client.get(path, headers=headers)

    return asyncio.run(asked())


def readable(routes, headers):
    """(the matches in the list, the length of the match that is shown as the one in hand)."""
    listed = [one["number"] for one in answer(routes, "/matches", headers).json()["matches"]]
    for route in ("/matches/{}", "/matches/{}.mat", "/matches/{}/analysis"):
        found = [n for n in (2, 1) if answer(routes, route.format(n), headers).status_code == 200]
        assert found == listed, route
    return listed, answer(routes, "/match-choice", headers).json().get("length")


def test_spectators_see_the_game_later():
    clock = HandClock()
    feed = late_feed(clock, 30)
    orientation, state = Orientation(), RefereeState()
    for t_ms in (0, 10_000, 20_000):
        clock.t_ms = t_ms
        feed.publish(Moment(t_ms=t_ms, state=replace(state), orientation=orientation))
    seen = []
    for t_ms in (20_000, 29_900, 30_000, 39_900, 40_000, 55_000, 99_000):
        clock.t_ms = t_ms
        assert json.loads(feed.body("en"))["t_ms"] == 20_000
        late = feed.body("en", late=True)
        seen.append(late and json.loads(late)["t_ms"])
    assert seen == [None, None, 0, 0, 10_000, 20_000, 20_000]


def test_a_browser_hears_a_sign_of_life_while_nothing_is_new():
    clock = HandClock()
    feed = late_feed(clock, 0.001)
    feed.publish(Moment(t_ms=0, state=RefereeState(), orientation=Orientation()))

    async def heard():
        events = feed.events("en", late=True)
        try:
            return [await anext(events) for _ in range(2)]
        finally:
            await events.aclose()

    _, sign = asyncio.run(heard())
    lines = sign.split("\n")
    assert [line.partition(":")[0] for line in lines] == ["event", "data", "", ""]  # scripts hear no comment
    assert lines[0] != "event: message"  # it is no snapshot


def test_what_a_browser_has_been_sent_is_not_sent_again(monkeypatch):
    monkeypatch.setattr(feeding, "KEEP_ALIVE_S", 0.001)
    feed = late_feed(HandClock(), 0)
    feed.publish(Moment(t_ms=0, state=RefereeState(), orientation=Orientation()))

    async def heard():
        events = feed.events("en")
        try:
            return [(await anext(events)).partition(":")[0] for _ in range(4)]
        finally:
            await events.aclose()

    assert asyncio.run(heard()) == ["retry", "data", "event", "event"]


def test_a_browser_that_has_gone_leaves_its_place_to_another():
    feed = late_feed(HandClock(), 0)

    async def come_and_go():
        events = feed.events("en")
        await anext(events)
        await events.aclose()

    for _ in range(MOST_WATCHERS + 1):
        asyncio.run(come_and_go())
    assert feed.n_watchers == 0


@pytest.mark.parametrize(
    "change",
    [
        {"state": RefereeState()},
        {"orientation": Orientation(white_home="top-left")},
        {"lamps": (Lamp(place=Place(number=6), meaning=Meaning.OFFENCE),)},
        {"devices": (DeviceState(name="dice", is_here=False, since_ms=0),)},
        {"asked": Asked(is_paused=True)},
        {"told": (Told(number=1, t_ms=0, what="The board is read."),)},
        {"setup": SetupState(step=SetupStep.BOARD, draft=DRAFT)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_people_can_see_is_sent_when_it_changes(change):
    before = Moment(t_ms=0, state=RefereeState(), orientation=Orientation())
    assert replace(before, t_ms=1000).shows_same_as(before)
    assert not replace(before, **change).shows_same_as(before)


def test_no_more_moments_wait_for_spectators_than_the_delay_holds_and_none_keeps_a_picture():
    clock = HandClock()
    feed = late_feed(clock, 10)
    states, pictures = weakref.WeakSet(), weakref.WeakSet()
    for t_ms in range(0, 100_000, 1000):
        clock.t_ms, state = t_ms, RefereeState()
        frame = Frame(t_ms=t_ms, image_bgr=np.zeros((4, 4, 3), np.uint8))
        picture = Picture(frame=frame, reading=None, geometry=None)
        feed.publish(Moment(t_ms=t_ms, state=state, orientation=Orientation(), picture=picture))
        states.add(state)
        pictures.add(picture)
        del state, frame, picture
    gc.collect()
    assert len(states) == 11  # the one that spectators see, and ten seconds ahead of it
    assert len(pictures) == 1


def test_spectators_read_a_match_once_they_see_the_next(tmp_path):
    clock, log = HandClock(), tmp_path / "blotlight.db"
    for match in (MatchSettings(white="Ada", black="Bert"), MatchSettings(white="Cleo", black="Dora")):
        MatchKeeper(log, match, print, new=True).close()
    feed = late_feed(clock, 30)
    for t_ms, number in ((0, 1), (20_000, 2)):
        clock.t_ms = t_ms
        in_hand = {"match": MatchSettings(length=number), "match_number": number}
        feed.publish(Moment(t_ms=t_ms, state=RefereeState(), orientation=Orientation(), **in_hand))
    routes = PageRoutes(
        feed=feed,
        camera=CameraView(),
        shelf=MatchShelf(log, Orientation),
        token=TOKEN,
        send_line=lambda line: True,
        speech=Speech.PLAIN,
    )

    seen = []
    for t_ms in (20_000, 29_900, 30_000, 49_900, 50_000, 99_000):
        clock.t_ms = t_ms
        assert readable(routes, with_token(TOKEN)) == ([2, 1], 2)
        seen.append(readable(routes, {}))
    assert seen == [([], None), ([], None), ([], 1), ([], 1), ([1], 2), ([1], 2)]


def test_spectators_get_nothing_early(tmp_path):
    with paged_table(tmp_path, delay_s=600) as table:
        table.type("31: 8/5 6/5")
        early = ("/plays/1/1", "/difference/1/1?typed=13/10+6/5", "/camera", "/camera.jpg")
        early += ("/matches/1", "/matches/1.mat", "/matches/1/analysis", "/stills/1/1/1/turn")
        with httpx.Client(base_url=table.url, timeout=30) as client:
            assert table.page.feed.newest.match_number == 1
            assert client.get("/matches").json() == {"matches": []}
            for path in early:
                assert client.get(path).status_code == 403, path
                assert client.get(path, headers=with_token(table.token)).status_code == 200, path
                assert (
                    client.get(f"{path}{'&' if '?' in path else '?'}token={table.token}").status_code == 200
                )
