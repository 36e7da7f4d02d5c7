"""Whatever is sent to whatever route: no error of ours, and nothing changes without the token."""

import asyncio
import json
from itertools import count
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.rules import Position
from controller.service.matches.kept_matches import load_kept_matches
from tests.controller.page.paged_table import paged_table

PATHS = (
    *("/", "/assets/{text}", "/texts", "/events/{text}", "/access", "/plays/{n}/{n}", "/difference/{n}/{n}"),
    *("/commands", "/setup", "/match-choice", "/camera.jpg", "/camera", "/matches", "/matches/{n}"),
    *(
        "/metrics",
        "/matches/{n}.{text}",
        "/matches/{n}/analysis",
        "/matches/{n}/deletion",
        "/stills/{n}/{n}/{n}/{text}",
    ),
)
"""Every route but the stream of events, which does not end."""
NUMBERS = st.integers(-2, 4) | st.integers() | st.just(10**30)
TEXTS = st.text(max_size=30) | st.sampled_from(
    ["turn", "offence", "mat", "sgf", "exe", "main.js", "..", "%2e"]
)
QUERIES = st.dictionaries(
    st.sampled_from(["language", "typed", "play", "counts", "dice", "token", "x"]),
    st.text(max_size=60)
    | st.lists(st.integers(-16, 16), min_size=26, max_size=26).map(lambda row: ",".join(map(str, row)))
    | st.sampled_from(["de", "8/5 6/5", "4HPwATDgc/ABMA", "31", "66", "65", "17", str(Position.START)]),
    max_size=3,
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
WORDS = st.sampled_from(
    [
        "step",
        "seek",
        "place",
        "sides",
        "walk",
        "lamp",
        "begin",
        "leave walk",
        "match",
        "leave",
        "keep",
    ]
)
"""Words of the set-up. Nobody reads them here."""
OBJECTS = st.dictionaries(
    st.sampled_from(
        ["line", "word", "deleted", "corners_px", "bar", "step", "light", "place", "length", "x"]
    ),
    st.recursive(
        LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner)
    ),
    max_size=4,
)
BODIES = (
    st.binary(max_size=1500)
    | OBJECTS.map(lambda one: json.dumps(one).encode())
    | st.builds(lambda one, word: json.dumps(one | {"word": word}).encode(), OBJECTS, WORDS)
)
METHODS = st.sampled_from(["GET", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS"])


@st.composite
def targets(draw):
    path = draw(st.sampled_from(PATHS))
    while "{n}" in path:
        path = path.replace("{n}", str(draw(NUMBERS)), 1)
    return quote(path.replace("{text}", draw(TEXTS)), safe="/%")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with paged_table(tmp_path_factory.mktemp("fuzzed")) as found:
        found.type("31: 8/5 6/5", "64: 24/18 13/9")
        yield found


CLIENTS = count(1)
"""The computers that have asked so far. Each asks once, so that no rate answers instead of the route."""


def answer_to(table, method, target, query, body, headers):
    async def ask():
        number = next(CLIENTS)
        client = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        transport = httpx.ASGITransport(app=table.page.app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, target, params=query, content=body, headers=headers)

    return asyncio.run(ask())


FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def state_of(table):
    return (
        table.service.state,
        table.page.lines(),
        table.page.setup_words(),
        load_kept_matches(table.folder / "blotlight.db", with_deleted=True),
    )


@FUZZ
@given(method=METHODS, target=targets(), query=QUERIES, body=BODIES, token=st.text(max_size=30))
def test_without_the_token_nothing_fails_and_nothing_changes(table, method, target, query, body, token):
    before = state_of(table)
    headers = {"x-blotlight-token": token.encode("utf-8", "replace")} if token.isprintable() else {}
    answer = answer_to(table, method, target, query, body, headers)
    assert answer.status_code < 500
    assert method in ("GET", "HEAD") or answer.status_code >= 400
    assert state_of(table) == before


@FUZZ
@given(method=METHODS, target=targets(), query=QUERIES, body=BODIES)
def test_with_the_token_nothing_fails(table, method, target, query, body):
    answer = answer_to(table, method, target, query, body, {"x-blotlight-token": table.token})
    assert answer.status_code < 500
    table.page.lines()
    table.page.setup_words()


def test_the_fuzz_reaches_every_route(table):
    known = {route.path.split("{")[0] for route in table.page.app._app.routes} - {"/events"}
    assert {path.split("{")[0] for path in PATHS} >= known
