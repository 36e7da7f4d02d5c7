"""The errors that people are shown. Each message is one sentence that says what to do next.

BlotlightError
├── InputError   unusable input: exit status 2
└── WorkError    the work failed: exit status 1
"""

import errno


class BlotlightError(Exception):
    """An error whose message is for people."""


class InputError(BlotlightError):
    """A file, folder, setting or argument that cannot be used."""


class WorkError(BlotlightError):
    """Work that began and could not be finished."""


_OF_ERRNO: dict[int, str] = {
    errno.ENOENT: "{path} is not there: check the name and its folder.",
    errno.EACCES: "{path} may not be used by you: change its permissions, or name another.",
    errno.EPERM: "{path} may not be used by you: change its permissions, or name another.",
    errno.EROFS: "{path} lies on a disk that may only be read: name a file elsewhere.",
    errno.ENOSPC: "No room is left on the disk of {path}: free some space.",
    errno.EDQUOT: "Your share of the disk of {path} is used up: free some space.",
    errno.EISDIR: "{path} is a folder: name a file.",
    errno.ENOTDIR: "{path} is not there, for a part of it is a file and no folder: check the name.",
    errno.EEXIST: "{path} is there already: name another, or move it away.",
    errno.ENAMETOOLONG: "{path} is too long a name: choose a shorter one.",
    errno.EIO: "The disk of {path} cannot be read or written: check it.",
    errno.EMFILE: "Too many files are open: close other programs.",
    errno.EFBIG: "{path} would become larger than its disk allows: name a file elsewhere.",
}


def os_error_sentence(error: OSError) -> str:
    """What the system refused, as one sentence that says what to do."""
    path = "the output" if error.filename is None else str(error.filename)
    unknown = f"{{path}} cannot be used, for the system says {error.strerror or error}: check it."
    sentence = _OF_ERRNO.get(error.errno or 0, unknown).format(path=path)
    return sentence if error.filename is not None else sentence[0].upper() + sentence[1:]
