"""What Pixels dice say, from their maker's published protocol (GameWithPixels, CommunicationsProtocol.md).

A message of type 3 tells the state of the roll and the index of the face that looks up.
"""

from lines import MOVING, UNREADABLE

SERVICES = ("a6b90001-7a5a-43f2-a962-350c8edc9b5b", "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
NOTIFY = ("a6b90002-7a5a-43f2-a962-350c8edc9b5b", "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
"""Of dice today, and of those before: their notifications have the number of the service itself."""

_ROLL_STATE = 3
_ROLLED, _HANDLING, _ROLLING, _CROOKED, _ON_FACE = 1, 2, 3, 4, 5


def state(message):
    """What a message says of the die: a face "1" to "6", MOVING, UNREADABLE; None when nothing."""
    message = bytes(message)
    if len(message) < 3 or message[0] != _ROLL_STATE:
        return None
    roll, face = message[1], message[2] + 1
    if roll in (_HANDLING, _ROLLING):
        return MOVING
    if roll in (_ROLLED, _ON_FACE):
        return str(face) if face <= 6 else UNREADABLE  # a die with more faces is not for this game
    return UNREADABLE if roll == _CROOKED else None
