"""A long evening on a bad line: 100,000 lines through the real driver, one in a hundred damaged."""

import io
import os
import pty
import random
import threading
import tty

from hardware.dice_log import DiceLogWriter
from hardware.dice_port import PortTiming, SerialDice
from hardware.wire import Line, encode, parse_line
from tests.hardware.hand_clock import HandClock, wait_until

N_LINES = 100_000
END = encode(0, "ERR", "END")


def spoken(chance: random.Random) -> list[bytes]:
    """What a tray might say."""
    kinds = [
        lambda seq: encode(seq, "MOVE", chance.randint(1, 2)),
        lambda seq: encode(seq, "FACE", chance.randint(1, 2), chance.choice("123456?-")),
        lambda seq: encode(seq, "HB", chance.randrange(100_000), chance.randrange(100)),
    ]
    return [chance.choice(kinds)(seq) for seq in range(N_LINES)]


def damaged(line: bytes, chance: random.Random) -> bytes:
    """The line with a byte changed, cut off at either end, or with foreign bytes in it."""
    where = chance.randrange(2, len(line) - 1)
    return chance.choice(
        [
            line[:where] + bytes([line[where] ^ chance.randrange(1, 256)]) + line[where + 1 : -1],
            line[:where],
            line[:where] + line[1:-1],
            line[where:-1],
            line[:where] + chance.randbytes(chance.randrange(1, 100)) + line[where:-1],
        ]
    )


def test_no_wrong_line_is_heard_and_no_good_one_is_lost(capsys):
    chance = random.Random(7)
    sent, good = bytearray(), []
    for line in spoken(chance):
        merged = sent and not sent.endswith(b"\n")  # with the line before it, which has lost its newline
        if not merged and chance.random() < 0.01:
            sent += damaged(line, chance) + b"\n"
            continue
        sent += line[:-1] if chance.random() < 0.01 else line
        good.append(line[:-1])
    master, slave = pty.openpty()
    tty.setraw(slave)
    log = io.BytesIO()
    dice = SerialDice(
        lambda: os.ttyname(slave), HandClock(), log=DiceLogWriter(log), timing=PortTiming(ask_every_ms=50)
    )
    wait_until(lambda: os.read(master, 100))  # it has opened the port and asks who is there
    writer = threading.Thread(target=_write, args=(master, bytes(sent) + b"\n" + END))
    writer.start()
    wait_until(lambda: log.getvalue().endswith(END), patience_s=60)
    writer.join()
    dice.close()
    for fd in (master, slave):
        os.close(fd)
    kept = [line.partition(b" ")[2] for line in log.getvalue().split(b"\n")]
    heard = [raw for raw in kept if isinstance(parse_line(raw), Line)][:-1]
    with capsys.disabled():
        print(
            f"\n{N_LINES} lines: {N_LINES - len(good)} damaged, {len(heard)} of {len(good)} good ones heard"
        )
    assert heard == good


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
