"""What can go wrong, as people are told it. Each message is one sentence that says what to do next.

BlotlightError
├── InputError   what was handed in cannot be used: exit status 2
└── WorkError    the work itself failed: exit status 1
"""


class BlotlightError(Exception):
    """Something a person should be told in one sentence."""


class InputError(BlotlightError):
    """A file, folder, setting or argument that cannot be used."""


class WorkError(BlotlightError):
    """Work that began and could not be ended."""
