"""Finds Bluetooth dice, connects to two of them and listens; connects anew when one goes away.

Over MicroPython's `bluetooth` module, whose events come as numbers (its documentation, `BLE.irq`).
"""

import bluetooth
import godice
import pixels

_SCAN_RESULT, _SCAN_DONE, _CONNECT, _DISCONNECT = 5, 6, 7, 8
_SERVICE_RESULT, _SERVICE_DONE, _CHARACTERISTIC_RESULT, _CHARACTERISTIC_DONE = 9, 10, 11, 12
_DESCRIPTOR_RESULT, _DESCRIPTOR_DONE, _WRITE_DONE, _NOTIFY = 13, 14, 17, 18
_NAME_FIELDS = (0x08, 0x09)  # shortened and complete local name
_SERVICE_FIELDS = (0x06, 0x07)  # some and all of the 128-bit services
_CLIENT_CONFIGURATION = bluetooth.UUID(0x2902)
_SCAN_MS, _INTERVAL_US, _WINDOW_US = 10000, 30000, 30000


_SERVICES = tuple(bluetooth.UUID(service) for service in set(godice.SERVICES + pixels.SERVICES))
_MAKES = {bluetooth.UUID(notify): make for make in (godice, pixels) for notify in make.NOTIFY}
"""Who made a die is known by where it sends its notifications."""


class Radio:
    """`on_state(die, state)` and `on_lost(die)` are called as things happen. A die keeps its number."""

    def __init__(self, on_state, on_lost, n_dice=2):
        self._on_state = on_state
        self._on_lost = on_lost
        self._n_dice = n_dice
        self._numbers = {}  # address: die
        self._no_dice = set()  # addresses of what only looked like dice
        self._connected = {}  # connection: die
        self._makes = {}  # connection: the module that understands the die
        self._joining = None  # address being connected to
        self._handles = {}  # what was found of the die that is being set up
        self._ble = bluetooth.BLE()
        self._ble.active(True)
        self._ble.irq(self._irq)
        self._look()

    def _look(self):
        """Look for dice, unless all are there or one is just being set up."""
        if self._joining is None and len(self._connected) < self._n_dice:
            self._ble.gap_scan(_SCAN_MS, _INTERVAL_US, _WINDOW_US, True)

    def _irq(self, event, data):
        if event == _SCAN_RESULT:
            address_type, address, _, _, advertisement = data
            self._seen(address_type, bytes(address), bytes(advertisement))
        elif event == _SCAN_DONE:
            self._look()
        elif event == _CONNECT:
            self._joined(data[0], bytes(data[2]))
        elif event == _DISCONNECT:
            self._left(data[0])
        elif event == _SERVICE_RESULT:
            if bluetooth.UUID(data[3]) in _SERVICES:
                self._handles["range"] = (data[1], data[2])
        elif event == _SERVICE_DONE:
            self._next_step(data, "range", self._ble.gattc_discover_characteristics)
        elif event == _CHARACTERISTIC_RESULT:
            make = _MAKES.get(bluetooth.UUID(data[4]))
            if make is not None:
                self._makes[data[0]] = make
                self._handles["value"] = (data[2], self._handles["range"][1])
        elif event == _CHARACTERISTIC_DONE:
            self._next_step(data, "value", self._ble.gattc_discover_descriptors)
        elif event == _DESCRIPTOR_RESULT:
            if bluetooth.UUID(data[2]) == _CLIENT_CONFIGURATION:
                self._handles["switch"] = (data[1],)
        elif event == _DESCRIPTOR_DONE:
            self._next_step(data, "switch", self._switch_on)
        elif event == _WRITE_DONE:
            self._set_up(data[0], data[2])
        elif event == _NOTIFY:
            self._heard(data[0], bytes(data[2]))

    def _heard(self, connection, message):
        die, make = self._connected.get(connection), self._makes.get(connection)
        state = make.state(message) if die is not None and make is not None else None
        if state is not None:
            self._on_state(die, state)

    def _seen(self, address_type, address, advertisement):
        if self._joining is not None or not _is_die(advertisement) or not self._has_number(address):
            return
        self._joining = address
        self._ble.gap_scan(None)
        self._ble.gap_connect(address_type, address)

    def _has_number(self, address):
        """Whether this is one of our dice; the first ones that are seen become so."""
        if address in self._no_dice:
            return False
        taken = self._numbers.values()
        free = [number for number in range(1, self._n_dice + 1) if number not in taken]
        if address not in self._numbers and free:
            self._numbers[address] = free[0]
        return address in self._numbers

    def _joined(self, connection, address):
        self._connected[connection] = self._numbers[address]
        self._handles = {}
        self._ble.gattc_discover_services(connection)

    def _next_step(self, done, found, step):
        """A search of a die is done; `done` is its connection, and 0 or the number of what went wrong."""
        connection, status = done
        if status != 0 or connection not in self._connected:
            self._give_up(connection)
        elif found in self._handles:
            step(connection, *self._handles[found])
        else:
            self._turn_away(connection)

    def _switch_on(self, connection, handle):
        self._ble.gattc_write(connection, handle, b"\x01\x00", 1)

    def _set_up(self, connection, status):
        """The die has been told to speak, and goes on to do so unless that went wrong."""
        if status != 0:
            self._give_up(connection)
            return
        self._joining = None
        self._look()

    def _give_up(self, connection):
        """It did not answer, or has just gone: it keeps its number and is tried again when it is seen."""
        if connection in self._connected:
            self._ble.gap_disconnect(connection)

    def _turn_away(self, connection):
        """It has not what a die has: its number is for another."""
        number = self._connected.pop(connection)
        for address in [address for address, die in self._numbers.items() if die == number]:
            del self._numbers[address]
            self._no_dice.add(address)
        self._ble.gap_disconnect(connection)

    def _left(self, connection):
        """A die has gone, or a connection was never made."""
        self._makes.pop(connection, None)
        die = self._connected.pop(connection, None)
        if die is None or die == self._numbers.get(self._joining):  # another may just be set up
            self._joining = None
        if die is not None:
            self._on_lost(die)
        self._look()


def _is_die(advertisement):
    """Whether an advertisement has a GoDice's name, or a service that dice offer."""
    at = 0
    while at + 1 < len(advertisement) and advertisement[at] > 0:
        length, kind = advertisement[at], advertisement[at + 1]
        value = advertisement[at + 2 : at + 1 + length]
        if kind in _NAME_FIELDS and value.startswith(godice.NAME):
            return True
        services = range(0, len(value), 16) if kind in _SERVICE_FIELDS else ()
        if any(_uuid(value[i : i + 16]) in _SERVICES for i in services):
            return True
        at += 1 + length
    return False


def _uuid(little_endian):
    digits = "".join(f"{byte:02x}" for byte in reversed(little_endian))
    groups = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return bluetooth.UUID("-".join(groups)) if len(digits) == 32 else None
