"""MicroPython's `bluetooth` module without a radio: dice are put into the air and speak when told to.

Runs inside MicroPython. The names and numbers are those of the module's documentation.
"""

NOTIFY_HANDLE, SWITCH_HANDLE = 21, 22
NOT_CONNECTED, REFUSED = 7, 261


class UUID:
    def __init__(self, value):
        self.value = value.value if isinstance(value, UUID) else value

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)


UART = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
PIXELS = "a6b90001-7a5a-43f2-a962-350c8edc9b5b"


def numbered(service, number):
    """The number of a characteristic beside its service's."""
    return service[:7] + str(number) + service[8:]


class Die:
    """`notify` is the number of the characteristic that tells, beside that of the service."""

    def __init__(self, address, name, has_service=True, service=UART, notify=3, advertises_service=False):
        self.address = address
        self.has_service = has_service
        self.service = service
        self.notify = numbered(service, notify)
        self.others = [numbered(service, n) for n in (2, 3) if n != notify]
        self.advertisement = bytes([2, 1, 6, len(name) + 1, 9]) + name
        if advertises_service:
            digits = service.replace("-", "")
            value = bytes(int(digits[i : i + 2], 16) for i in range(30, -2, -2))
            self.advertisement += bytes([17, 7]) + value
        self.connection = None
        self.switched_on = False
        self.breaks_off = 0  # so often the connection is lost while it is set up
        self.refuses = 0  # so often it does not let itself be switched on
        self.meanwhile = None  # happens while it is set up


class BLE:
    """The one radio: `BLE.air` is what can be received, `BLE.calls` what was asked of it."""

    handler = None
    scanning = False

    def active(self, on):
        BLE.calls.append("active")

    def irq(self, handler):
        BLE.handler = handler

    def gap_scan(self, duration_ms, *_):
        BLE.scanning = duration_ms is not None
        BLE.calls.append("scan" if BLE.scanning else "stop")

    def gap_connect(self, address_type, address):
        assert not BLE.scanning, "a radio that scans cannot connect"
        for die in BLE.air:
            if die.address == address:
                die.connection = die.address[0]
                BLE.handler(7, (die.connection, address_type, memoryview(address)))
                return
        BLE.handler(8, (65535, address_type, memoryview(address)))

    def gap_disconnect(self, connection):
        for die in BLE.air:
            if die.connection == connection:
                go_away(die)
                return True
        return False

    def gattc_discover_services(self, connection):
        BLE.handler(9, (connection, 1, 9, UUID(0x180A)))
        if with_connection(connection).has_service:
            BLE.handler(9, (connection, 10, 30, UUID(with_connection(connection).service)))
        BLE.handler(10, (connection, 0))

    def gattc_discover_characteristics(self, connection, start, end):
        assert (start, end) == (10, 30)
        die = with_connection(connection)
        if die.meanwhile is not None:
            die.meanwhile()
        if die.breaks_off:
            die.breaks_off -= 1
            die.connection = None
            BLE.handler(12, (connection, NOT_CONNECTED))
            BLE.handler(8, (connection, 1, memoryview(die.address)))
            return
        for handle, uuid in ((18, die.others[0]), (NOTIFY_HANDLE, die.notify)):
            BLE.handler(11, (connection, handle - 1, handle, 16, UUID(uuid)))
        BLE.handler(12, (connection, 0))

    def gattc_discover_descriptors(self, connection, start, end):
        assert (start, end) == (NOTIFY_HANDLE, 30)
        BLE.handler(13, (connection, SWITCH_HANDLE, UUID(0x2902)))
        BLE.handler(14, (connection, 0))

    def gattc_write(self, connection, handle, data, mode):
        assert (handle, data, mode) == (SWITCH_HANDLE, b"\x01\x00", 1)
        die = with_connection(connection)
        if die.refuses:
            die.refuses -= 1
            BLE.handler(17, (connection, handle, REFUSED))
            return
        die.switched_on = True
        BLE.handler(17, (connection, handle, 0))


BLE.air, BLE.calls = [], []


def with_connection(connection):
    (die,) = [die for die in BLE.air if die.connection == connection]
    return die


def pass_scan():
    """Everything in the air that is not connected advertises once, while the radio scans."""
    for die in BLE.air:
        if BLE.scanning and die.connection is None:
            BLE.handler(5, (1, memoryview(die.address), 0, -60, memoryview(die.advertisement)))


def say(die, message):
    assert die.switched_on, "nobody listens to this die"
    BLE.handler(18, (die.connection, NOTIFY_HANDLE, memoryview(message)))


def go_away(die):
    connection, die.connection = die.connection, None
    die.switched_on = False
    BLE.handler(8, (connection, 1, memoryview(die.address)))
