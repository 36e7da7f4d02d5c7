"""The messages of the boards: their schema, and what the hall makes of anything else."""

import json
import random
import re
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest

from controller.club.hall.hall_listener import MESSAGE_KINDS, HallMessages
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import RowIntake
from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace, sqlite_url
from controller.club.wire.board_messages import (
    BOARDS_TOPIC,
    HAVE_TOPIC,
    HaveMessage,
    LogMessage,
    WireError,
    board_topic,
    packed,
    packed_have,
    packed_row,
    unpacked_call,
    unpacked_have,
    unpacked_health,
    unpacked_row,
    unpacked_state,
    unpacked_status,
)
from controller.club.wire.board_state import (
    HOME_ASSISTANT,
    game_state,
    health_message,
    home_assistant_message,
    state_message,
)
from controller.club.wire.club_link import LEAST_KEEP_ALIVE_S, MOST_KEEP_ALIVE_S, ClubLink
from controller.page.moment import Told
from controller.referee import OffenceEnded, OffenceShown, TurnRecorded
from controller.referee.effects import Mode
from controller.rules import Offence, OffenceKind, Place, Player
from controller.service.display import DeviceState
from tests.controller.club.simulated_boards import played_moments

WIRE = files("controller.club.wire")
SCHEMA = json.loads((WIRE / "board-messages.schema.json").read_text(encoding="utf-8"))
ASYNC_API = json.loads((WIRE / "asyncapi.json").read_text(encoding="utf-8"))
NAMES = {Player.WHITE: "Ada", Player.BLACK: "Bert"}
N_FUZZED = 10_000
READERS = {
    "status": unpacked_status,
    "state": unpacked_state,
    "health": unpacked_health,
    "log": lambda payload: unpacked_row("board-01", payload),
    "call": unpacked_call,
    "have": unpacked_have,
}


def validator(kind):
    return jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{kind}"})


def state_of(moment):
    return state_message(moment.t_ms, game_state(moment, NAMES))


def good_messages():
    moments, rows = played_moments()
    for moment in moments:
        yield "state", state_of(moment)
    device = DeviceState(name="camera", is_here=True, since_ms=0)
    yield "health", health_message(replace(moments[0], devices=(device,)))
    for seq, (t_ms, kind, payload) in enumerate(rows):
        row = BoardRow(
            board="board-01", stream="a", place=LogPlace(1, seq), t_ms=t_ms, kind=kind, payload=payload
        )
        yield "log", packed_row(LogMessage(row=row, after=LogPlace(1, seq - 1) if seq else None))
    yield "status", packed(online=True, stream="a")
    yield "call", packed(wants="director")
    yield "have", packed_have(HaveMessage(stream="a", place=None))
    yield "have", packed_have(HaveMessage(stream="a", place=LogPlace(3, 7)))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", READERS)
def test_our_messages_are_as_the_schema_says(kind):
    found = [payload for name, payload in good_messages() if name == kind]
    assert found
    for payload in found:
        validator(kind).validate(json.loads(payload))
        READERS[kind](payload)


@pytest.mark.parametrize("name", ["Ada \U0001f469\u200d\U0001f680", "Ada\u202e", "Ada\u200d"])
def test_a_state_may_hold_a_name_with_an_emoji_and_nothing_else_that_is_invisible(name):
    message = json.loads(state_of(played_moments()[0][0]))
    message["players"][0]["name"] = name
    if name == "Ada \U0001f469\u200d\U0001f680":
        assert unpacked_state(json.dumps(message).encode())["players"][0]["name"] == name
    else:
        with pytest.raises(WireError):
            unpacked_state(json.dumps(message).encode())


def test_a_row_is_read_as_it_was_written():
    for kind, payload in good_messages():
        if kind == "log":
            assert packed_row(unpacked_row("board-01", payload)) == payload


@pytest.mark.parametrize("stream", ["../../", "a/b", "a.b", "ä", "", "x" * 41])
def test_a_log_has_a_name_that_can_stand_in_a_file_name(stream):
    for kind, payload in good_messages():
        if kind in ("log", "status", "have"):
            message = {**json.loads(payload), "stream": stream}
            assert not validator(kind).is_valid(message)
            with pytest.raises(WireError):
                READERS[kind](json.dumps(message).encode())


def changed_anywhere(value, chance):
    """A JSON value with something in it replaced, taken out or added."""
    strange = chance.choice(
        [
            None,
            True,
            -1,
            0,
            16,
            2**53,
            1.5,
            "",
            "x" * 70,
            "\u0007",
            [],
            {},
            [1, 2],
            {"v": 1},
            "white",
            "board-01",
        ]
    )
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        what = chance.random()
        if what < 0.2:
            return {name: one for name, one in value.items() if name != key}
        if what < 0.25:
            return {**value, "more": strange}
        return {**value, key: changed_anywhere(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        what = chance.random()
        if what < 0.2:
            return value[:at] + value[at + 1 :]
        return [*value[:at], changed_anywhere(value[at], chance), *value[at + 1 :]]
    return strange


def test_what_the_hall_takes_is_what_the_schema_allows():
    chance = random.Random(5)
    samples = list(good_messages())
    validators = {kind: validator(kind) for kind in READERS}
    n_taken = 0
    for _ in range(3000):
        kind, payload = chance.choice(samples)
        value = changed_anywhere(json.loads(payload), chance)
        is_right = validators[kind].is_valid(value)
        try:
            READERS[kind](json.dumps(value).encode())
        except WireError:
            # Signs that cannot be printed are refused though JSON Schema has no word for them.
            assert not is_right or "\\u0007" in json.dumps(value), (kind, value)
        else:
            n_taken += 1
            assert is_right, (kind, value)
    assert 100 < n_taken < 2900


def test_ten_thousand_fuzzed_payloads_are_counted_and_do_no_harm(tmp_path):
    chance = random.Random(21)
    store = HallStore(sqlite_url(tmp_path / "hall.db"))
    live = LiveBoards({"board-01": 1})
    messages = HallMessages(RowIntake(store), live, lambda: 0.0)
    samples = list(good_messages())
    n_bad = 0
    for _ in range(N_FUZZED):
        kind, payload = chance.choice([sample for sample in samples if sample[0] != "have"])
        topic = board_topic("board-01", kind)
        match chance.randrange(6):
            case 0:
                payload = chance.randbytes(chance.randrange(200))
            case 1:
                payload = payload[: chance.randrange(len(payload))]
            case 2:
                at = chance.randrange(len(payload))
                payload = payload[:at] + chance.randbytes(1) + payload[at + 1 :]
            case 3:
                payload = json.dumps(changed_anywhere(json.loads(payload), chance)).encode()
            case 4:
                payload = chance.choice(
                    [b"[" * 60_000, b'{"v":' * 9000, b"x" * 70_000, b'{"v":1e999}', b"NaN"]
                )
            case 5:
                topic = chance.choice(
                    ["", "/", "blotlight/1/boards//log", f"{BOARDS_TOPIC}/A B/log", topic + "/x"]
                )
        try:
            READERS[kind](payload)
            n_bad += topic != board_topic("board-01", kind)
        except WireError:
            n_bad += 1
        messages.handle(topic, payload)
    assert messages.n_messages == N_FUZZED
    assert sum(messages.n_ignored.values()) == n_bad > N_FUZZED / 2
    assert set(messages.n_ignored) == {*MESSAGE_KINDS, "topic"}
    messages.keep()
    places = {match: [row.place for row in store.rows(match)] for match in store.matches()}
    assert all(found == sorted(set(found)) for found in places.values())
    assert [one.board for one in live.boards()] == ["board-01"]
    store.close()


def test_in_tournament_mode_nobody_hears_of_offences():
    moment = played_moments()[0][-1]
    offence = Offence(OffenceKind.WRONG_DISTANCE, (Place(6), Place(25, Player.WHITE)))
    shown = OffenceShown(t_ms=1, index=0, player=Player.WHITE, offences=(offence,))
    seen = replace(moment, told=(Told(number=1, t_ms=1, what=shown),))
    assert json.loads(state_of(seen))["offences"] == [OffenceKind.WRONG_DISTANCE.value]
    for what in (
        OffenceEnded(t_ms=2, index=0, stands=True),
        TurnRecorded(t_ms=2, index=1, turn=moment.state.record[0]),
    ):
        ended = Told(number=2, t_ms=2, what=what)
        assert json.loads(state_of(replace(seen, told=(*seen.told, ended))))["offences"] == []
    quiet = replace(moment.state, settings=replace(moment.state.settings, mode=Mode.TOURNAMENT))
    assert json.loads(state_of(replace(seen, state=quiet)))["offences"] == []


def test_the_asyncapi_document_names_every_topic_and_message():
    addresses = {name: channel["address"] for name, channel in ASYNC_API["channels"].items()}
    assert addresses == {
        **{kind: board_topic("{board}", kind) for kind in MESSAGE_KINDS},
        "have": f"{HAVE_TOPIC}/{{board}}",
    }
    bindings = {
        f"#/components/operationBindings/{name}": one["mqtt"]
        for name, one in ASYNC_API["components"]["operationBindings"].items()
    }
    for operation in ASYNC_API["operations"].values():
        assert operation["channel"]["$ref"].removeprefix("#/channels/") in addresses
        assert bindings[operation["bindings"]["$ref"]]["qos"] == 1
    for name, message in ASYNC_API["components"]["messages"].items():
        file, _, path = message["payload"]["schema"]["$ref"].partition("#/$defs/")
        assert (WIRE / file).is_file()
        assert path == name
        assert name in SCHEMA["$defs"]
    assert {"status", "state", "health", "call"} == {
        name.removeprefix("publish_")
        for name, operation in ASYNC_API["operations"].items()
        if bindings[operation["bindings"]["$ref"]]["retain"] and operation["action"] == "send"
    }


def test_home_assistant_is_told_of_a_device_with_what_it_requires():
    """By DEVICE_DISCOVERY_SCHEMA in homeassistant/components/mqtt/schemas.py, which refuses other fields, and
    DISCOVERY_SCHEMA in sensor.py and binary_sensor.py there; the topic by TOPIC_MATCHER in discovery.py."""
    found = json.loads(home_assistant_message("board-07"))
    assert {"device", "origin", "components"} <= found.keys()
    assert found.keys() <= {"device", "origin", "components", "availability", "qos"}
    assert found["device"].keys() <= {"identifiers", "name", "manufacturer"}
    assert found["device"]["identifiers"] == ["blotlight_board-07"]
    assert found["origin"].keys() == {"name"}
    assert found["qos"] in (0, 1, 2)
    for one in found["availability"]:
        assert one["topic"] == board_topic("board-07", "status")
        assert one.keys() <= {"topic", "value_template"}
    ids = [one["unique_id"] for one in found["components"].values()]
    assert len(set(ids)) == len(ids) == 3
    more = {"sensor": set(), "binary_sensor": {"device_class"}}
    for one in found["components"].values():
        fields = {"platform", "unique_id", "name", "state_topic", "value_template"}
        assert one.keys() == fields | more[one["platform"]]
        assert one.get("device_class") in (None, "problem")
        assert one["state_topic"] in (board_topic("board-07", "state"), board_topic("board-07", "health"))
    topic = HOME_ASSISTANT.format(board="board-07").removeprefix("homeassistant/")
    assert re.fullmatch(r"\w+/([a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config", topic)


def test_the_last_will_comes_within_any_keep_alive():
    """The broker waits one and a half times the keep-alive of MQTT, looks every 6 s, and needs one more."""
    for keep_alive_s in range(LEAST_KEEP_ALIVE_S, MOST_KEEP_ALIVE_S + 1):
        link = ClubLink(host="x", port=1, user="x", password="x", ca_pem="x", keep_alive_s=keep_alive_s)
        assert link.mqtt_keep_alive_s >= 2
        assert 1.5 * link.mqtt_keep_alive_s + 6 + 1 <= keep_alive_s
