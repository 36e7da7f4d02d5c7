"""Which texts people may give for a name: those without invisible characters, except within an emoji."""

import re

_IN_EMOJI = r"[^\x00-\x7f\w\s\u200d]"
_INVISIBLE_IN_EMOJI = re.compile(
    rf"(?<={_IN_EMOJI})\u200d(?={_IN_EMOJI})"
    r"|(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"
)
"""What joins emoji, and what makes a black flag that of a region (Unicode Technical Standard 51)."""


def is_printable(text: str) -> bool:
    """Whether a text has no control characters, overrides of direction, line ends or other invisible ones."""
    return _INVISIBLE_IN_EMOJI.sub("", text).isprintable()
