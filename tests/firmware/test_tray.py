"""The dice tray: which face is up, when it is said, and what the line bears."""

import itertools
import random
import re
import subprocess

import pytest

from hardware.wire import (
    Boot,
    Error,
    Face,
    Heartbeat,
    Hello,
    Lifted,
    Line,
    Moving,
    encode,
)
from tests.firmware.benches import (
    EMPTY,
    FIRMWARE,
    ROTATIONS,
    SENSORS,
    WHITE_DIE,
    Bench,
    Optics,
    atmega_bench,
    build,
    core_bench,
    reflected,
)

WAYS = list(itertools.product(range(1, 7), ROTATIONS))
"""Every face up, turned every way."""


@pytest.fixture(scope="module", params=[core_bench, atmega_bench], ids=["core", "atmega"])
def command(request):
    return request.param()


@pytest.fixture(scope="module")
def core_command():
    return core_bench()


@pytest.fixture(scope="module")
def atmega_command():
    return atmega_bench()


@pytest.fixture
def tray(command):
    yield from switched_on(command)


@pytest.fixture
def core(core_command):
    yield from switched_on(core_command)


@pytest.fixture
def atmega(atmega_command):
    yield from switched_on(atmega_command)


def switched_on(command):
    bench = Bench(command)
    bench.lay(1, EMPTY)
    bench.lay(2, EMPTY)
    bench.run(300)
    yield bench
    bench.close()


def numbered(messages):
    return [message.seq for message in messages]


def about_dice(messages):
    """Without the numbers of the lines: (die, face), (die, None) for unreadable, (die, "-") for lifted."""
    return [
        (m.die, "-" if isinstance(m, Lifted) else m.face) for m in messages if isinstance(m, Face | Lifted)
    ]


def rest(bench, levels_1, levels_2=EMPTY, ms=350):
    """What is said of the dice after this is put into the wells, within the time that the protocol allows."""
    bench.lay(1, levels_1)
    bench.lay(2, levels_2)
    return about_dice(bench.run(ms))


def test_switched_on_it_says_so_and_that_both_wells_are_empty(command):
    bench = Bench(command)
    bench.lay(1, EMPTY)
    bench.lay(2, EMPTY)
    said = bench.run(300)
    assert said[:2] == [Boot(seq=0), Error(seq=1, code="LEVELS")]
    assert about_dice(said[2:]) == [(1, "-"), (2, "-")]
    assert numbered(said) == [0, 1, 2, 3]
    bench.close()


@pytest.mark.parametrize("ambient", [0, 250, 600])
def test_every_face_in_every_rotation_and_well_is_out_within_250_ms(tray, ambient):
    tray.do(f"ambient {ambient}")
    before = (None, None)
    for way_1, way_2 in zip(WAYS, WAYS[5:] + WAYS[:5], strict=True):
        changed = [(die, way[0]) for die, way in ((1, way_1), (2, way_2)) if way[0] != before[die - 1]]
        assert sorted(rest(tray, reflected(*way_1), reflected(*way_2), ms=250)) == changed
        before = (way_1[0], way_2[0])


def test_a_die_that_tumbles_in_is_moving_then_shows_its_face(tray):
    said = []
    for shift in range(4):
        tray.lay(1, [280 if (i + shift) % 4 else 100 for i in range(10)])
        said += tray.run(40)
    tray.lay(1, reflected(3))
    said += tray.run(350)
    assert [type(message) for message in said] == [Moving, Face]
    assert about_dice(said) == [(1, 3)]


def test_a_die_taken_out_is_lifted_within_250_ms(tray):
    rest(tray, reflected(5), reflected(2))
    assert rest(tray, EMPTY, reflected(2), ms=250) == [(1, "-")]


def test_a_short_jolt_of_the_table_is_not_worth_a_word(tray):
    rest(tray, reflected(5))
    tray.lay(1, [level - 60 for level in reflected(5)])
    said = tray.run(30)
    tray.lay(1, reflected(5))
    assert about_dice(said + tray.run(400)) == []


def test_a_die_leaning_on_the_wall_cannot_be_read(tray):
    leaning = [300, 280, 260, 200, 180, 160, 120, 100, 80, 180]
    assert rest(tray, leaning) == [(1, None)]


def test_daylight_that_blinds_the_sensors_makes_faces_unreadable_not_wrong(tray):
    rest(tray, reflected(5))
    tray.do("ambient 960")
    assert set(about_dice(tray.run(400))) == {(1, None), (2, None)}
    tray.do("ambient 100")
    assert set(about_dice(tray.run(400))) == {(1, 5), (2, "-")}


@pytest.mark.parametrize(
    "optics",
    [
        Optics(body=60, pip=300, nothing=20),
        Optics(body=900, pip=250, nothing=60),
        Optics(body=180, pip=40, nothing=5),
    ],
    ids=["dark die with light pips", "strong light", "weak light"],
)
def test_dice_of_other_makes_are_read_too(core, optics):
    for up, rotation in WAYS:
        rest(core, [optics.nothing] * 10)
        assert rest(core, reflected(up, rotation, optics)) == [(1, up)]


def test_exactly_the_patterns_of_dice_are_faces_and_one_sensor_never_turns_one_into_another(core):
    """All 1,024 pictures that ten sensors can give, light or dark each."""
    expected = {}
    for up, rotation in WAYS:
        pips = tuple(level == WHITE_DIE.pip for level in reflected(up, rotation))
        expected[pips] = up
        expected[tuple(not pip for pip in pips)] = up
    read = {}
    for pips in itertools.product([False, True], repeat=len(SENSORS)):
        rest(core, EMPTY, ms=200)
        ((_, face),) = rest(core, [WHITE_DIE.pip if pip else WHITE_DIE.body for pip in pips], ms=300) or [
            (1, "-")
        ]
        if face not in (None, "-"):
            read[pips] = face
    assert read == expected
    for one, other in itertools.combinations(read, 2):
        if read[one] != read[other]:
            assert sum(a != b for a, b in zip(one, other, strict=True)) >= 2


def faulty(levels, channel, stuck):
    return [stuck if i == channel else level for i, level in enumerate(levels)]


def wrong_and_unread(bench, ways, channels, stuck_levels):
    """(wrong faces, unreadable, cases) over every single sensor that gives one level whatever lies there."""
    wrong = unread = cases = 0
    for (up, rotation), channel, stuck in itertools.product(ways, channels, stuck_levels):
        rest(bench, *[faulty(EMPTY, channel, stuck)] * 2, ms=150)
        said = rest(bench, *[faulty(reflected(up, rotation), channel, stuck)] * 2, ms=250)
        for die in (1, 2):
            cases += 1
            faces = [face for each, face in said if each == die and face not in (None, "-")]
            wrong += any(face != up for face in faces)
            unread += not faces
    return wrong, unread, cases


def test_no_single_faulty_sensor_makes_a_wrong_face(core, capsys):
    wrong, unread, cases = wrong_and_unread(core, WAYS, range(10), (0, 100, 185, 300, 1000))
    with capsys.disabled():
        print(f"\nsingle sensor faults: {wrong} wrong faces, {unread} of {cases} unread")
    assert cases == 24 * 10 * 5 * 2
    assert wrong == 0


def test_no_single_faulty_sensor_makes_a_wrong_face_on_the_atmega(atmega):
    wrong, _, cases = wrong_and_unread(atmega, [(4, 0)], range(10), (0, 1000))
    assert cases == 40
    assert wrong == 0


def test_no_noise_makes_a_wrong_face(core, capsys):
    """1,000 runs: sensors of unequal strength, daylight, noise up to a fifth of what a die gives back."""
    chance = random.Random(1)
    unread = 0
    for run in range(1000):
        up, rotation = chance.choice(WAYS)
        strength = [chance.uniform(0.75, 1.25) for _ in range(10)]
        core.do(f"ambient {chance.randrange(0, 600)}")
        core.do("noise 0 1")
        rest(core, EMPTY, ms=200)
        core.do(f"noise {chance.randrange(0, 61)} {run}")
        levels = [round(level * s) for level, s in zip(reflected(up, rotation), strength, strict=True)]
        faces = [face for die, face in rest(core, levels, ms=500) if die == 1 and face not in (None, "-")]
        assert set(faces) <= {up}, (run, up, faces)
        unread += not faces
    with capsys.disabled():
        print(f"\n1,000 noise runs: no wrong face, {unread / 10:.1f} % unread")


def test_asked_who_is_there_it_says_protocol_firmware_and_dice(tray):
    tray.send(encode(0, "HELLO"))
    (hello,) = tray.run(20)
    assert hello == Hello(seq=4, protocol=1, firmware="1.0.0", dice=2, caps=frozenset({"face", "move"}))


def test_asked_for_a_snap_it_says_every_die_again(tray):
    rest(tray, reflected(6), reflected(1))
    tray.send(encode(0, "SNAP"))
    assert about_dice(tray.run(20)) == [(1, 6), (2, 1)]


def test_a_die_in_motion_is_said_to_move_in_a_snap(tray):
    for shift in range(8):
        tray.lay(1, [280 if (i + shift) % 4 else 100 for i in range(10)])
        tray.run(30)
    tray.lay(1, [280 if i % 3 else 100 for i in range(10)])
    tray.send(encode(0, "SNAP"))
    said = tray.run(20)
    assert [(type(m), m.die) for m in said] == [(Moving, 1), (Lifted, 2)]


@pytest.mark.parametrize(
    "sent",
    [
        b"\x00\xff\xfegarbage\n" + encode(3, "SNAP"),
        b"$1,SN" + encode(3, "SNAP"),
        b"$" * 200 + encode(3, "SNAP"),
        b"$" + b"x" * 100 + encode(3, "SNAP"),
        encode(3, "SNAP").rstrip(b"\n") + b"$\n",
        encode(3, "SNAP").replace(b"\n", b"\r\n"),
    ],
    ids=["garbage", "cut", "dollars", "endless", "merged", "carriage return"],
)
def test_whatever_comes_before_it_a_good_line_is_answered(tray, sent):
    tray.send(sent)
    assert about_dice(tray.run(60)) == [(1, "-"), (2, "-")]


def test_bad_lines_are_not_answered_but_counted_in_the_heartbeat(tray):
    tray.send(b"$1,SNAP*0000\n" + encode(1, "SING") + encode(1, "SNAP", "now") + b"$256\n$1,SNAP*\n")
    assert tray.run(600) == []
    (beat,) = tray.run(200)
    assert isinstance(beat, Heartbeat)
    assert (beat.uptime_s, beat.bad_lines) == (1, 5)


def test_a_heartbeat_comes_every_second_and_lines_are_numbered_without_gaps(tray):
    times = [(t_ms, line.message) for t_ms, line in tray.lines(3000) if isinstance(line, Line)]
    assert [message.uptime_s for _, message in times] == [1, 2, 3]
    assert all(abs(t_ms - 1000 * message.uptime_s) <= 10 for t_ms, message in times)
    assert numbered(message for _, message in times) == [4, 5, 6]


def test_the_numbers_of_lines_go_from_255_to_0(core):
    said = []
    for _ in range(130):
        core.send(encode(0, "SNAP"))
        said += core.run(20)
    assert numbered(said) == [(4 + i) % 256 for i in range(len(said))]
    assert len(said) > 256


def test_restarted_it_begins_anew(tray):
    rest(tray, reflected(4))
    tray.do("restart")
    said = tray.run(400)
    assert said[0] == Boot(seq=0)
    assert about_dice(said) == [(2, "-"), (1, 4)]


UNEVEN = [1.0, 0.7, 1.3, 0.9, 1.1, 0.6, 1.4, 1.0, 0.8, 1.2]
"""How strong each sensor of a tray may be."""


def strong(levels):
    return [round(2 * level * s) for level, s in zip(levels, UNEVEN, strict=True)]


def teach(tray):
    """Play a while with sensors far from what the firmware expects."""
    for up in (1, 3):
        rest(tray, strong(EMPTY), strong(EMPTY), ms=150)
        rest(tray, strong(reflected(up)), strong(reflected(up)), ms=250)
    tray.run(700)  # the EEPROM takes its time


def test_what_it_learnt_of_its_sensors_outlives_a_power_cut(tray):
    teach(tray)
    tray.do("restart")
    assert not any(isinstance(message, Error) for message in tray.run(400))


def test_a_torn_image_in_eeprom_falls_back_to_the_other_one_or_to_learning_anew(tray):
    teach(tray)
    tray.do("tear 1 20")
    tray.do("restart")
    said = tray.run(400)
    assert Error(seq=1, code="LEVELS") in said
    assert set(about_dice(said)) == {(1, 3), (2, 3)}


def test_a_hang_is_ended_by_the_watchdog_which_is_said(atmega):
    atmega.do("stall 1")
    lines = atmega.lines(200)
    assert lines == []
    lines = atmega.lines(200)  # it starts again, to hang again at once
    atmega.do("stall 0")
    said = [line.message for _, line in lines + atmega.lines(600) if isinstance(line, Line)]
    assert Boot(seq=0) in said
    assert Error(seq=1, code="WATCHDOG") in said
    assert about_dice(said) == [(1, "-"), (2, "-")]


def test_the_firmware_takes_less_than_half_of_flash_and_ram(atmega_command, capsys):
    sizes = subprocess.run(
        ["make", "--quiet", "size"], cwd=FIRMWARE, check=True, capture_output=True, text=True
    ).stdout
    with capsys.disabled():
        print(f"\n{sizes.strip()}")
    shares = [float(share) for share in re.findall(r"([\d.]+) %", sizes)]
    assert len(shares) == 2
    assert max(shares) < 50


def test_the_hex_file_to_flash_is_built(atmega_command):
    lines = (build("all") / "tray.hex").read_text().splitlines()
    assert lines[-1] == ":00000001FF"
