"""What the page answers, and what it refuses."""

import gzip
import json
import socket
import time
from contextlib import ExitStack, closing
from itertools import count

import httpx
import pytest

from controller.errors import InputError
from controller.page import page_connections
from controller.page.page_access import (
    PageAddress,
    invitation,
    kept_token,
    parse_page_address,
    qr_lines,
    qr_svg,
)
from controller.page.page_assets import page_assets
from controller.page.page_connections import MOST_CONNECTIONS
from controller.page.page_guard import MOST_CLIENTS, READING, WRITING, RateLimit, is_own_host
from controller.page.page_server import GONE_S, IDLE_S, PageServer, PageSetup, listening_socket
from controller.service.health.counters import CONTENT_TYPE
from controller.service.matches.gnubg import find_gnubg
from controller.service.matches.kept_matches import load_kept_matches
from sentences import FILES, say, speaking
from tests.controller.page.paged_table import paged_table
from tests.hardware.hand_clock import HandClock
from tests.peers import require_peer

ROUTES = (
    "/", "/assets/main.js", "/texts", "/access", "/plays/1/1", "/camera", "/camera.jpg", "/matches",
    "/matches/1", "/matches/1.mat", "/matches/1.sgf", "/difference/1/1?typed=13/10+6/5",
)  # fmt: skip

POST_WITHOUT_BODY = b"POST /commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
ASKED_ONCE = b"GET /texts HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
ANALYSIS_S = 240
"""How long GNU Backgammon may take for one half-turn on a busy machine."""
NUMBERS = count(1)
"""The last numbers of the computers that have asked so far."""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with paged_table(tmp_path_factory.mktemp("page")) as found:
        found.type("31: 8/5 6/5")
        yield found


def computer(table):
    """A client with an address of its own, so that the rates of one test do not hold up another."""
    transport = httpx.HTTPTransport(local_address=f"127.0.1.{next(NUMBERS)}")
    return httpx.Client(base_url=table.url, timeout=30, transport=transport)


@pytest.fixture
def client(table):
    with computer(table) as found:
        yield found


def told(table, client, line, **headers):
    return client.post("/commands", json={"line": line}, headers=headers)


def with_token(table):
    return {"x-blotlight-token": table.token}


@pytest.mark.parametrize("route", ROUTES)
def test_everybody_may_read(client, route):
    answer = client.get(route)
    assert answer.status_code == 200, answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == ("no-cache" if route in ROUTES[:2] else "no-store")
    assert "server" not in answer.headers


def test_no_route_answers_with_an_error_of_ours(table, client):
    strange = (
        *("/plays/0/0", "/plays/1/99999", "/plays/99/1", "/plays/a/b", "/plays/-1/-1", "/matches/0"),
        *("/matches/99999999999999999999", "/matches/1.exe", "/matches/1.%6dat", "/x", "/events/"),
        *("/assets/..%2f..%2fpyproject.toml", "/assets/%2e%2e/%2e%2e/etc/passwd", "/commands"),
        *("/texts?language=../../x", "/texts?language=%00"),
    )
    for path in strange:
        for headers in ({}, with_token(table)):
            answer = client.get(path, headers=headers)
            assert answer.status_code in (200, 404, 405), (path, answer.status_code)
            assert "root:" not in answer.text
            assert "build-system" not in answer.text


def test_a_word_needs_the_token(table, client):
    before = table.service.state.record
    for headers in (
        {},
        {"x-blotlight-token": ""},
        {"x-blotlight-token": table.token[:-1]},
        {"x-blotlight-token": "é"},
    ):
        raw = {name: value.encode() for name, value in headers.items()}
        assert told(table, client, "undo", **raw).status_code == 403
    assert client.get("/access").json() == {
        "may_command": False,
        "may_set_up": False,
        "commands_exist": True,
    }
    assert table.page.lines() == []
    assert table.service.state.record == before


def test_a_word_with_the_token_is_what_people_type(table, client):
    assert told(table, client, "correct 1 13/10 6/5", **with_token(table)).status_code == 202
    assert table.page.lines() == ["correct 1 13/10 6/5"]


def test_a_name_with_joined_emoji_may_be_typed(table, client):
    line = "double Ada \U0001f469\u200d\U0001f680"
    assert told(table, client, line, **with_token(table)).status_code == 202
    assert table.page.lines() == [line]


@pytest.mark.parametrize("line", ["quit", " EXIT ", "help", "", "more", "a\nb", "x" * 201, "\x1b[2J"])
def test_what_belongs_to_the_terminal_is_not_taken(table, client, line):
    assert told(table, client, line, **with_token(table)).status_code == 400
    assert table.page.lines() == []


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b'{"line": 1}', b"\xff", b"[" * 1000, b'{"line": null}', b'"undo"']
)
def test_what_is_no_line_is_refused(table, client, body):
    answer = client.post("/commands", content=body, headers=with_token(table))
    assert answer.status_code == 400
    assert answer.json()["problem"]


@pytest.mark.parametrize("may_set_up", [True, False])
def test_the_board_is_set_up_only_where_a_service_can_do_that(may_set_up):
    token = "t" * 22
    setup = PageSetup(token=token, may_set_up=may_set_up)
    with closing(PageServer(PageAddress(host="127.0.0.1", port=0), setup, print)) as page:
        answer = httpx.get(f"{page.address.url}access", headers={"x-blotlight-token": token}, timeout=30)
    assert answer.json()["may_set_up"] is may_set_up


def test_other_pages_cannot_speak(table, client):
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert told(table, client, "undo", **with_token(table), **headers).status_code == 403
    own = {"origin": table.url.rstrip("/"), "sec-fetch-site": "same-origin"}
    assert told(table, client, "undo", **with_token(table), **own).status_code == 202
    assert table.page.lines() == ["undo"]


@pytest.mark.parametrize(
    ("setup", "status"),
    [
        (PageSetup(), 404),
        (PageSetup(metrics=lambda: "blotlight_frames_total 3\n"), 200),
        (PageSetup(metrics=lambda: "blotlight_frames_total 3\n", delay_s=60.0, token="t" * 22), 403),
    ],
    ids=["not set", "set", "seen later by spectators"],
)
def test_counters_are_shown_where_the_settings_say_so_and_not_ahead_of_the_game(setup, status):
    with closing(PageServer(PageAddress(host="127.0.0.1", port=0), setup, print)) as page:
        answer = httpx.get(f"{page.address.url}metrics", timeout=30)
        assert answer.status_code == status
        assert httpx.get(f"{page.address.url}metrics", headers={"host": "evil.example"}).status_code == 421
    if status == 200:
        assert answer.text == "blotlight_frames_total 3\n"
        assert answer.headers["content-type"] == CONTENT_TYPE


def test_a_name_that_another_site_may_have_is_refused(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert is_own_host("localhost:8017")
    assert is_own_host("192.168.1.7:8017")
    assert is_own_host("[::1]:8017")
    assert is_own_host(f"{socket.gethostname().upper()}.local:8017")
    assert not is_own_host("127.0.0.1.evil.example")
    assert not is_own_host("")


@pytest.mark.parametrize(
    ("method", "path", "key", "headers"),
    [
        ("POST", "/commands", "page_needs_token", {}),
        ("GET", "/assets/none", "page_not_there", {}),
        ("GET", "/", "page_other_host", {"host": "evil.example"}),
        ("POST", "/commands", "page_other_origin", {"origin": "http://evil.example"}),
    ],
)
def test_refusals_are_in_the_language_of_the_browser(client, method, path, key, headers):
    for language in FILES:
        answer = client.request(method, f"{path}?language={language}", headers=headers)
        with speaking(language):
            assert answer.json()["problem"] == say(key)


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("8-5", "'8-5' ist kein Schritt; schreib ihn wie 8/5, bar/21*, 6/off oder 13/7(2)"),
        ("7/5", "7/5 beginnt, wo Weiß keinen Stein hat"),
    ],
)
def test_what_is_wrong_with_a_typed_play_is_said_in_the_language_of_the_browser(client, typed, problem):
    answer = client.get("/difference/1/1", params={"typed": typed, "language": "de"})
    assert answer.json()["problem"] == problem


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this computer has no IPv6")
def test_a_page_at_every_address_is_where_it_says():
    address = parse_page_address("[::]:0")
    assert address.is_everywhere
    with closing(PageServer(address, PageSetup(), print)) as page:
        for host in ("127.0.0.1", "[::1]"):
            assert httpx.get(f"http://{host}:{page.address.port}/", timeout=30).status_code == 200


def test_browsers_that_went_without_a_word_are_given_up():
    with (
        listening_socket(PageAddress(host="127.0.0.1", port=0)) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == IDLE_S
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == GONE_S * 1000


def test_one_computer_cannot_take_the_places_of_all(tmp_path, client):
    with paged_table(tmp_path) as table, ExitStack() as cleaning:
        address = "127.0.0.1", table.page.address.port
        for _ in range(2 * MOST_CONNECTIONS):
            taken = socket.create_connection(address, source_address=("127.0.2.1", 0))
            cleaning.enter_context(taken)
        assert client.get(f"{table.url}texts").status_code == 200


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", POST_WITHOUT_BODY, ASKED_ONCE + b"G"])
def test_a_browser_that_asks_nothing_whole_is_let_go(table, monkeypatch, begun):
    monkeypatch.setattr(page_connections, "ASKING_S", 0.2)
    with socket.create_connection(("127.0.0.1", table.page.address.port), timeout=5) as browser:
        browser.sendall(begun)
        while browser.recv(65536):
            pass


def test_what_strangers_send_is_not_logged(table, caplog):
    with socket.create_connection(("127.0.0.1", table.page.address.port), timeout=30) as stranger:
        stranger.sendall(b"nonsense\r\n\r\n")
        assert stranger.recv(65536).startswith(b"HTTP/1.1 400")
    assert not caplog.records


def test_a_large_body_is_refused(table, client):
    assert client.post("/commands", content=b"x" * 10_000, headers=with_token(table)).status_code == 413
    assert client.get("/" + "x" * 600).status_code == 414


def test_who_asks_too_often_has_to_wait():
    clock = HandClock()
    limit = RateLimit(WRITING, lambda: clock.t_ms / 1000)
    assert [limit.allows("one") for _ in range(21)] == [True] * 20 + [False]
    assert limit.allows("another")
    clock.t_ms = 1000
    assert [limit.allows("one") for _ in range(5)] == [True] * 4 + [False]
    assert READING.burst > WRITING.burst
    for n in range(MOST_CLIENTS):
        limit.allows(f"stranger {n}")
    assert limit.allows("one")  # forgotten: what is remembered of computers does not grow for ever


def test_lines_that_nobody_takes_are_refused_at_last(table, client):
    with computer(table) as other:
        senders = (client, other) * 12
        codes = [told(table, one, "undo", **with_token(table)).status_code for one in senders]
    assert codes == [202] * 20 + [503] * 4
    assert table.page.lines() == ["undo"] * 20


def test_a_browser_gets_a_file_once_and_compressed_where_it_can_read_that(client):
    plain, small = (
        client.get("/assets/main.js", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")
    )
    assert (plain.headers.get("content-encoding"), small.headers["content-encoding"]) == (None, "gzip")
    assert plain.content == small.content == page_assets()["main.js"].content
    again = client.get("/assets/main.js", headers={"if-none-match": small.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert small.headers["vary"] == again.headers["vary"] == "accept-encoding"


def test_the_page_is_light_and_names_nothing_elsewhere():
    assets = page_assets()
    assert sum(len(gzip.compress(asset.content)) for asset in assets.values()) < 150_000
    for name, asset in assets.items():
        addresses = asset.content.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in addresses, name
        assert "https://" not in addresses, name
        assert "//cdn" not in addresses, name


def test_events_begin_with_the_whole_snapshot(table):
    with httpx.stream("GET", f"{table.url}events", timeout=30) as answer:
        lines = answer.iter_lines()
        data = next(line for line in lines if line.startswith("data: "))
    snapshot = json.loads(data.removeprefix("data: "))
    assert [player["name"] for player in snapshot["players"]] == ["Ada", "Bert"]
    assert len(snapshot["board"]["points"]) == 24
    assert set(snapshot["sureness"]) <= {"sure", "unsure", "hidden"}


def test_ranked_plays_begin_with_the_most_like(client):
    found = client.get("/plays/1/1").json()
    assert found["recorded"] == "8/5 6/5"
    assert len(found["plays"]) > 10
    assert all(":" in play["position"] for play in found["plays"])
    assert "8/5 6/5" not in [play["text"] for play in found["plays"]]
    assert {"13/10 6/5", "24/21 6/5"} <= {play["text"] for play in found["plays"][:6]}


def test_the_token_outlives_a_restart_and_is_for_its_owner_alone(tmp_path):
    token = kept_token(tmp_path)
    assert kept_token(tmp_path) == token
    assert (tmp_path / "page-token").stat().st_mode & 0o777 == 0o600
    (tmp_path / "page-token").write_text("short")
    another = kept_token(tmp_path)
    assert another != "short"
    assert kept_token(tmp_path) == another
    assert len({kept_token(tmp_path / str(n)) for n in range(5)}) == 5


def test_an_invitation_fits_a_terminal():
    lines = qr_lines(invitation("http://192.168.100.100:8017/", "x" * 22))
    assert len(lines) <= 21
    assert max(map(len, lines)) <= 79
    assert qr_svg("x").startswith("<svg")


def test_an_address_is_a_number_and_a_port():
    assert parse_page_address("0.0.0.0:80").is_everywhere
    assert parse_page_address("[::1]:80").url == "http://[::1]:80/"
    for text in ("", "8017", "example.org:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1"):
        with pytest.raises(InputError, match="no address of a page"):
            parse_page_address(text)


def test_a_page_whose_address_is_taken_leaves_the_game_alone(table):
    said = []
    second = PageServer(table.page.address, PageSetup(), said.append)
    assert second.address is None
    port = table.page.address.port
    assert said == [
        f"The page cannot be shown at 127.0.0.1:{port} (Address already in use): "
        "give another address with --page."
    ]
    assert second.lines() == []
    second.close()


def test_a_match_is_deleted_and_brought_back(tmp_path):
    with paged_table(tmp_path) as table:
        table.type("31: 8/5 6/5")
    with paged_table(tmp_path) as table, httpx.Client(base_url=table.url, timeout=30) as client:
        table.type("31: 8/5 6/5")

        def delete(number, deleted, **headers):
            body = {"deleted": deleted}
            return client.post(f"/matches/{number}/deletion", json=body, headers=headers).status_code

        def listed():
            return [(one["number"], one["is_deleted"]) for one in client.get("/matches").json()["matches"]]

        assert delete(1, True) == 403
        assert delete(2, True, **with_token(table)) == 409  # it may be in hand
        assert listed() == [(2, False), (1, False)]
        assert delete(1, True, **with_token(table)) == 200
        assert listed() == [(2, False), (1, True)]
        assert [kept.number for kept in load_kept_matches(tmp_path / "blotlight.db")] == [2]
        assert delete(1, False, **with_token(table)) == 200
        assert listed() == [(2, False), (1, False)]


def test_a_kept_game_has_ids_shots_and_photographs(client):
    (game,) = client.get("/matches/1").json()["games"]
    assert game["ids"][0][0] == "sGfwATDgc/ABMA"
    assert game["ids"][0][1].startswith("XGID=")
    assert game["shots"] == [0]
    assert game["stills"] == [["turn"]]
    still = client.get("/stills/1/1/1/turn")
    assert still.headers["content-type"] == "image/jpeg"
    assert still.content[:2] == b"\xff\xd8"
    for path in (
        "/stills/1/1/1/passwd",
        "/stills/1/1/2/turn",
        f"/stills/{10**40}/1/1/turn",
        "/stills/0/1/1/turn",
    ):
        assert client.get(path).status_code == 404


def test_an_analysis_runs_where_gnu_backgammon_is_installed(table, client):
    require_peer(find_gnubg() is not None, "Debian's package gnubg")
    assert client.get("/matches/1/analysis").json()["state"] == "none"
    assert client.post("/matches/1/analysis").status_code == 403
    assert client.post("/matches/1/analysis", headers=with_token(table)).status_code == 202
    end_s = time.monotonic() + ANALYSIS_S
    while (found := client.get("/matches/1/analysis").json())["state"] == "running":
        assert time.monotonic() < end_s
        time.sleep(0.1)  # GNU Backgammon has the lowest priority: leave it the processor
    assert [one["name"] for one in found["players"]] == ["Ada", "Bert"]
    assert [(one["game"], one["number"]) for one in found["figures"]] == [(1, 1)]
    assert 0.5 < found["figures"][0]["win"] < 0.6
    assert found["mistakes"] == []  # 8/5 6/5 is the best play of 3-1
