"""The messages of a board about its game and its devices."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from controller.club.wire.board_messages import PLAYER_FIELDS, board_topic, packed
from controller.page.moment import Moment
from controller.page.snapshot import snapshot_of
from controller.referee import OffenceEnded, OffenceShown, TurnRecorded
from controller.referee.effects import Mode
from controller.rules import Player

HOME_ASSISTANT = "homeassistant/device/blotlight_{board}/config"
"""The topic at which Home Assistant discovers devices, from version 2024.11 on
(https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload)."""


def game_state(moment: Moment, names: Mapping[Player, str]) -> dict[str, Any]:
    """The state of the game without its time. It holds no sentences: the hall shows it in any language."""
    snapshot = snapshot_of(replace(moment, names=names))
    players = [{field: getattr(one, field) for field in PLAYER_FIELDS} for one in snapshot.players]
    return {
        "length": moment.state.match.length,
        "game": snapshot.game,
        "phase": snapshot.phase,
        "is_crawford": snapshot.is_crawford,
        "players": players,
        "board": asdict(snapshot.board),
        "dice": snapshot.dice,
        "cube": asdict(snapshot.cube) if snapshot.cube else None,
        "offences": _offences(moment),
        "has_question": bool(snapshot.questions),
    }


def state_message(t_ms: int, state: Mapping[str, Any]) -> bytes:
    """The state of the game at a time."""
    return packed(t_ms=t_ms, **state)


def _offences(moment: Moment) -> list[str]:
    """The offences shown now; none in tournament mode."""
    if moment.state.settings.mode is Mode.TOURNAMENT:
        return []
    for told in reversed(moment.told):
        match told.what:
            case OffenceShown(offences=offences):
                return [offence.kind.value for offence in offences]
            case OffenceEnded() | TurnRecorded():
                return []
    return []


def health_message(moment: Moment) -> bytes:
    """The devices: whether each is set up, and whether it is connected."""
    devices = [
        {"name": one.name, "is_here": one.is_here, "is_set_up": one.is_set_up} for one in moment.devices
    ]
    return packed(devices=devices)


def home_assistant_message(board: str) -> bytes:
    """The board as a device of Home Assistant: availability, score, player on roll, problem of the camera."""
    state = board_topic(board, "state")
    on_roll = (
        "{{ (value_json.players | selectattr('is_on_roll') | map(attribute='name') | list + ['-'])[0] }}"
    )
    score = "{{ value_json.players[0].score }}-{{ value_json.players[1].score }}"
    camera = (
        "{{ 'ON' if value_json.devices | selectattr('name', 'eq', 'camera')"
        " | selectattr('is_here') | list | count == 0 else 'OFF' }}"
    )

    def component(platform: str, key: str, name: str, **more: object) -> dict[str, Any]:
        return {"platform": platform, "unique_id": f"blotlight_{board}_{key}", "name": name, **more}

    found = {
        "device": {
            "identifiers": [f"blotlight_{board}"],
            "name": f"Blotlight {board}",
            "manufacturer": "Blotlight",
        },
        "origin": {"name": "blotlight"},
        "availability": [
            {
                "topic": board_topic(board, "status"),
                "value_template": "{{ 'online' if value_json.online else 'offline' }}",
            }
        ],
        "qos": 1,
        "components": {
            "score": component("sensor", "score", "Score", state_topic=state, value_template=score),
            "on_roll": component("sensor", "on_roll", "On roll", state_topic=state, value_template=on_roll),
            "camera": component(
                "binary_sensor",
                "camera",
                "Camera",
                device_class="problem",
                state_topic=board_topic(board, "health"),
                value_template=camera,
            ),
        },
    }
    # Home Assistant accepts no unknown fields, so the version is left out.
    return json.dumps(found, separators=(",", ":")).encode()
