"""The errors that people are shown. Each message is one sentence that says what to do next.

BlotlightError
├── InputError   unusable input: exit status 2
└── WorkError    the work failed: exit status 1
"""

import errno

from sentences import begun, say


class BlotlightError(Exception):
    """An error whose message is for people."""


class InputError(BlotlightError):
    """A file, folder, setting or argument that cannot be used."""


class WorkError(BlotlightError):
    """Work that began and could not be finished."""


def os_error_sentence(error: OSError) -> str:
    """What the system refused, as one sentence that says what to do."""
    if error.filename is None:
        return begun(_sentence(error, say("the_output")))
    return _sentence(error, str(error.filename))


def _sentence(error: OSError, path: str) -> str:
    match error.errno:
        case errno.ENOENT:
            return say("path_missing", path=path)
        case errno.EACCES | errno.EPERM:
            return say("path_forbidden", path=path)
        case errno.EROFS:
            return say("path_read_only", path=path)
        case errno.ENOSPC:
            return say("disk_full", path=path)
        case errno.EDQUOT:
            return say("quota_used_up", path=path)
        case errno.EISDIR:
            return say("path_is_folder", path=path)
        case errno.ENOTDIR:
            return say("path_through_file", path=path)
        case errno.EEXIST:
            return say("path_exists", path=path)
        case errno.ENAMETOOLONG:
            return say("path_too_long", path=path)
        case errno.EIO:
            return say("disk_broken", path=path)
        case errno.EMFILE:
            return say("too_many_files_open")
        case errno.EFBIG:
            return say("file_too_large", path=path)
        case _:
            return say("path_unusable", path=path, reason=error.strerror or error)
