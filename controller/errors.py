"""The errors that people are shown. Each message is one sentence that says what to do next.

BlotlightError
├── InputError   unusable input: exit status 2
└── WorkError    the work failed: exit status 1
"""


class BlotlightError(Exception):
    """An error whose message is for people."""


class InputError(BlotlightError):
    """A file, folder, setting or argument that cannot be used."""


class WorkError(BlotlightError):
    """Work that began and could not be finished."""
