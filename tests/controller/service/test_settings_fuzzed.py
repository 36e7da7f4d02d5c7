"""Settings that somebody spoilt: a clear sentence or settings, and never anything else."""

import os
from random import Random

import pytest

from controller.errors import InputError
from controller.service.settings import OPTIONS, ServiceSettings, load_settings

EXAMPLE = """
# Our board.
[board]
corners_px = [[225.5, 136.5], [746.9, 139.6], [798.2, 580.7], [159.2, 570.7]]
bar = [0.462, 0.538]  # measured
white_home = "bottom-right"
checker_mm = 30
field_mm = [500, 400]

[match]
white = "Ada"
black = "Bert"
length = 7
laws = "modern"

[referee]
mode = "club"
settle_ms = 900

[camera]
device = "/dev/video0"
size = [1280, 720]
every_ms = 200

[lights]
max_brightness = 0.3
max_ma = 500
"""
VALUES = (
    "0", "-1", "1e400", "inf", "nan", "true", '""', '"x"', "[]", "[[]]", "{}", "{a = 1}", "1979-05-27",
    "9999999999999999999999", '"\\u0000"', '"\\n"', "[1, 2]", '["a", "b", "c"]', "07:32:00", "-0.0", "[{}]",
    "0x10",
)  # fmt: skip
N_SPOILT = 10_000 if "BLOTLIGHT_PROOF" in os.environ else 400


def spoilt(random: Random) -> str:
    """The example after one to four accidents."""
    lines = EXAMPLE.splitlines()
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(lines))
        match random.randrange(8):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(at, lines[random.randrange(len(lines))])
            case 2:
                name, sign, _ = lines[at].partition("=")
                lines[at] = f"{name}= {random.choice(VALUES)}" if sign else name
            case 3:
                cut = random.randint(0, len(lines[at]))
                lines[at] = lines[at][:cut] + random.choice("[]{}=\"'#\\\x00é\u2028 .9") + lines[at][cut:]
            case 4:
                table = random.choice(list(OPTIONS))
                option = random.choice([*OPTIONS[table], "unknown"])
                lines += [f"[{table}]", f"{option} = {random.choice(VALUES)}"]
            case 5:
                lines[at] = lines[at][: random.randint(0, len(lines[at]))]
            case 6:
                lines[at] = lines[at].replace("_", random.choice(["", "-", "__"]))
            case _:
                lines[at] = lines[at].swapcase()
    return "\n".join(lines)


@pytest.mark.parametrize("part", range(4))
def test_spoilt_settings_give_one_sentence_or_settings(tmp_path, part):
    path = tmp_path / "blotlight.toml"
    n_refused = 0
    for seed in range(part * N_SPOILT // 4, (part + 1) * N_SPOILT // 4):
        path.write_text(spoilt(Random(seed)), encoding="utf-8")
        try:
            assert isinstance(load_settings(path, tmp_path), ServiceSettings)
        except InputError as problem:
            n_refused += 1
            text = str(problem)
            assert text.endswith("."), (seed, text)
            assert "\n" not in text, (seed, text)
            assert len(text) < 400, (seed, text)
    assert 0 < n_refused < N_SPOILT // 4
