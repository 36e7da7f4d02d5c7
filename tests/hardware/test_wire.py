"""The protocol's lines: what is delivered, what is harmless, what is news."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from hardware.wire import (
    Boot,
    DiceListener,
    Error,
    Face,
    Heartbeat,
    Hello,
    Lifted,
    Line,
    LineParser,
    Message,
    Moving,
    Noise,
    crc16,
    encode,
)

BOOT = b"$0,BOOT*17E8\n"
HELLO = b"$1,HELLO,1,1.0.0,2,face+move*43BC\n"
FACE_1_4 = b"$15,FACE,1,4*B4EA\n"

messages = st.one_of(
    st.builds(Boot, seq=st.integers(0, 255)),
    st.builds(Moving, seq=st.integers(0, 255), die=st.integers(1, 2)),
    st.builds(Face, seq=st.integers(0, 255), die=st.integers(1, 2), face=st.none() | st.integers(1, 6)),
    st.builds(Lifted, seq=st.integers(0, 255), die=st.integers(1, 2)),
    st.builds(
        Heartbeat, seq=st.integers(0, 255), uptime_s=st.integers(0, 10**9), bad_lines=st.integers(0, 65535)
    ),
)


def line_for(message: Message) -> bytes:
    match message:
        case Boot(seq=seq):
            return encode(seq, "BOOT")
        case Moving(seq=seq, die=die):
            return encode(seq, "MOVE", die)
        case Face(seq=seq, die=die, face=face):
            return encode(seq, "FACE", die, "?" if face is None else face)
        case Lifted(seq=seq, die=die):
            return encode(seq, "FACE", die, "-")
        case Heartbeat(seq=seq, uptime_s=uptime_s, bad_lines=bad_lines):
            return encode(seq, "HB", uptime_s, bad_lines)
    raise AssertionError(message)


def messages_in(data: bytes) -> list[Message]:
    return [found.message for found in LineParser().feed(data) if isinstance(found, Line)]


def problems_in(data: bytes) -> list[str]:
    return [found.problem for found in LineParser().feed(data) if isinstance(found, Noise)]


def test_checksum_of_the_catalogue_is_29b1():
    assert crc16(b"123456789") == 0x29B1


def test_every_kind_of_line_says_what_it_means():
    lines = [
        (BOOT, Boot(seq=0)),
        (HELLO, Hello(seq=1, protocol=1, firmware="1.0.0", dice=2, caps=frozenset({"face", "move"}))),
        (b"$12,MOVE,1*6370\n", Moving(seq=12, die=1)),
        (FACE_1_4, Face(seq=15, die=1, face=4)),
        (encode(16, "FACE", 2, "?"), Face(seq=16, die=2, face=None)),
        (b"$22,FACE,1,-*53F2\n", Lifted(seq=22, die=1)),
        (b"$10,HB,9,0*193B\n", Heartbeat(seq=10, uptime_s=9, bad_lines=0)),
        (encode(9, "ERR", "LEVELS"), Error(seq=9, code="LEVELS")),
    ]
    for raw, message in lines:
        assert LineParser().feed(raw) == [Line(raw=raw[:-1], message=message)]


def test_a_line_that_comes_in_two_pieces_is_one_line():
    parser = LineParser()
    assert parser.feed(b"$15,FACE,1") == []
    assert [found.message for found in parser.feed(b",4*B4EA\n") if isinstance(found, Line)] == [
        Face(seq=15, die=1, face=4)
    ]


def test_a_dollar_always_starts_a_new_line():
    assert messages_in(b"$15,FACE,1," + FACE_1_4) == [Face(seq=15, die=1, face=4)]


def test_two_lines_whose_newline_was_lost_are_both_heard():
    assert messages_in(BOOT[:-1] + FACE_1_4) == [Boot(seq=0), Face(seq=15, die=1, face=4)]


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"$15,FACE,1,5*B4EA\n", "with a wrong checksum"),
        (b"$15,FACE,1*B4", "that is cut short or garbled"),
        (b"garbage\n", "that does not begin with $"),
        (encode(1, "FACE", 1, 7), "that the protocol does not know"),
        (encode(1, "FACE", 0, 3), "that the protocol does not know"),
        (encode(1, "FACE", 3, "-"), "that the protocol does not know"),  # a game has two dice
        (encode(1, "SING"), "that the protocol does not know"),
    ],
)
def test_a_bad_line_is_noise_with_its_reason(raw, problem):
    assert problems_in(raw + b"\n") == [problem]


def test_a_number_beyond_255_is_no_line():
    body = b"256,BOOT"
    assert problems_in(b"$%s*%04X\n" % (body, crc16(body))) == ["that the protocol does not know"]


def test_a_line_longer_than_64_bytes_is_dropped_and_the_next_heard():
    body = b"1,ERR," + b"X" * 60
    assert messages_in(b"$%s*%04X\n" % (body, crc16(body)) + FACE_1_4) == [Face(seq=15, die=1, face=4)]


def test_a_line_that_would_be_too_long_is_not_sent():
    with pytest.raises(ValueError, match="longer than 64"):
        encode(1, "ERR", "X" * 60)


@given(st.binary(max_size=400))
def test_no_garbage_raises_and_none_passes_for_a_face(garbage):
    LineParser().feed(garbage)


@given(st.binary(max_size=200), messages)
def test_a_good_line_after_any_garbage_is_delivered(garbage, message):
    assert messages_in(garbage + line_for(message))[-1] == message


@given(st.lists(messages, max_size=8), st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_it_does_not_matter_how_the_stream_is_cut_into_reads(sent, cuts):
    data = b"".join(map(line_for, sent))
    parser = LineParser()
    heard: list[Message] = []
    start = 0
    for i in range(len(data)):
        stop = start + cuts[i % len(cuts)]
        heard += [found.message for found in parser.feed(data[start:stop]) if isinstance(found, Line)]
        start = stop
    assert heard == sent


@given(messages, st.integers(0, 200), st.integers(1, 255))
def test_one_damaged_byte_never_makes_another_message(message, where, flip):
    raw = bytearray(line_for(message))
    where %= len(raw)
    raw[where] ^= flip
    assert messages_in(bytes(raw)) in ([], [message])


def test_a_gap_in_the_numbers_counts_the_missing_lines():
    listener = DiceListener()
    for seq in (254, 255, 0, 3):
        listener.handle_message(Heartbeat(seq=seq, uptime_s=1, bad_lines=0), 0)
    assert listener.missing_lines == 2


def test_a_restart_is_no_gap():
    listener = DiceListener()
    listener.handle_message(Heartbeat(seq=77, uptime_s=1, bad_lines=0), 0)
    listener.handle_message(Boot(seq=0), 500)
    assert listener.missing_lines == 0


def test_the_first_good_line_means_the_sensor_is_found():
    assert DiceListener().handle_message(Moving(seq=9, die=2), 40) == [
        SensorFound(t_ms=40),
        DiceMoving(t_ms=40, die=2),
    ]


def test_a_throw_is_moving_settling_and_lifting():
    listener = DiceListener()
    listener.handle_message(Boot(seq=0), 0)
    assert listener.handle_message(Moving(seq=1, die=1), 10) == [DiceMoving(t_ms=10, die=1)]
    assert listener.handle_message(Face(seq=2, die=1, face=6), 20) == [DiceSettled(t_ms=20, die=1, face=6)]
    assert listener.handle_message(Lifted(seq=3, die=1), 30) == [DiceLifted(t_ms=30, die=1)]


def test_a_face_said_again_is_no_news_but_after_a_restart_it_is():
    listener = DiceListener()
    listener.handle_message(Face(seq=1, die=1, face=6), 0)
    assert listener.handle_message(Face(seq=2, die=1, face=6), 100) == []
    listener.handle_message(Boot(seq=0), 200)
    assert listener.handle_message(Face(seq=1, die=1, face=6), 300) == [DiceSettled(t_ms=300, die=1, face=6)]


@pytest.mark.parametrize(
    "end",
    [
        lambda listener: listener.handle_message(Boot(seq=0), 50),
        lambda listener: listener.lose("unplugged", 50),
    ],
    ids=["restart", "loss"],
)
def test_after_a_restart_or_a_loss_nothing_is_known_of_the_sensor(end):
    listener = DiceListener()
    listener.handle_message(Hello(seq=1, protocol=1, firmware="1.0", dice=2, caps=frozenset()), 0)
    listener.handle_message(Face(seq=2, die=1, face=6), 10)
    end(listener)
    assert listener.hello is None
    assert DiceSettled(t_ms=60, die=1, face=6) in listener.handle_message(Face(seq=1, die=1, face=6), 60)


def test_three_missed_heartbeats_mean_the_sensor_is_lost_once():
    listener = DiceListener()
    listener.handle_message(Heartbeat(seq=1, uptime_s=1, bad_lines=0), 1000)
    assert listener.silence(4400) == []
    (lost,) = listener.silence(9000)
    assert lost == SensorLost(t_ms=4500, reason="The dice sensor has fallen silent: check its cable.")
    assert listener.silence(10_000) == []
    assert listener.handle_message(Heartbeat(seq=9, uptime_s=9, bad_lines=0), 11_000) == [
        SensorFound(t_ms=11_000)
    ]
    assert listener.missing_lines == 0


def test_a_sensor_of_another_protocol_is_not_listened_to():
    listener = DiceListener()
    hello = Hello(seq=1, protocol=2, firmware="9.0", dice=2, caps=frozenset())
    (lost,) = listener.handle_message(hello, 0)
    assert isinstance(lost, SensorLost)
    assert "protocol 2" in lost.reason
    assert "flash the firmware" in lost.reason
    assert listener.handle_message(Face(seq=2, die=1, face=6), 100) == []
