"""Runs on an ESP32 with MicroPython: dice over Bluetooth to the lines of ../PROTOCOL.md over USB."""

import select
import sys
import time

import machine
import micropython
from bridge import Bridge
from radio import Radio


def main():
    """For ever; a hang is ended by the watchdog."""
    micropython.kbd_intr(-1)  # a byte 3 on the line is no command to stop
    watchdog = machine.WDT(timeout=5000)
    bridge = Bridge(sys.stdout.buffer.write)
    heard = []
    radio = Radio(lambda die, state: heard.append((die, state)), lambda die: heard.append((die, None)))
    listening = select.poll()
    listening.register(sys.stdin, select.POLLIN)
    then = time.ticks_ms()
    while radio:
        while heard:
            die, state = heard.pop(0)
            if state is None:
                bridge.lost_die(die)
            else:
                bridge.from_die(die, state)
        while listening.poll(0):
            bridge.from_host(sys.stdin.buffer.read(1))
        now = time.ticks_ms()
        bridge.pass_time(time.ticks_diff(now, then))
        then = now
        watchdog.feed()
        time.sleep_ms(5)


if __name__ == "__main__":
    main()
