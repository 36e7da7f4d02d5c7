"""Whether a film's file is complete, by the lengths that its container states.

ISO base media files (MP4, MOV; ISO/IEC 14496-12), RIFF files (AVI) and Matroska files (RFC 9559) consist of
parts that state their length. A part that reaches beyond the end of the file was cut off.
"""

from pathlib import Path
from typing import BinaryIO

MATROSKA = b"\x1a\x45\xdf\xa3"
SEGMENT = b"\x18\x53\x80\x67"


def is_cut_short(path: Path) -> bool:
    """Whether the end of the film is missing. False when the container does not tell."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        file.seek(0)
        if head[4:8] == b"ftyp":
            return _is_cut_iso(file, size)
        if head[:4] == b"RIFF":
            return _is_cut_riff(file, size)
        if head[:4] == MATROSKA:
            return _is_cut_matroska(file, size)
    return False


def _is_cut_iso(file: BinaryIO, size: int) -> bool:
    """Whether a box is too long, or the index, which recorders write last, is missing.

    The index is `moov` of a film, `meta` of a picture.
    """
    at, has_index = 0, False
    while at + 8 <= size:
        file.seek(at)
        head = file.read(16)
        length, kind = int.from_bytes(head[:4], "big"), head[4:8]
        if length == 1:
            length = int.from_bytes(head[8:16], "big")
        has_index |= kind in (b"moov", b"meta")
        if length == 0:  # to the end of the file
            break
        if length < 8:
            return True
        at += length
    return at > size or not has_index


def _is_cut_riff(file: BinaryIO, size: int) -> bool:
    at = 0
    while at + 8 <= size:
        file.seek(at)
        head = file.read(8)
        if head[:4] != b"RIFF":
            return False
        length = int.from_bytes(head[4:8], "little")
        at += 8 + length + length % 2
    return at > size + 1  # some writers leave out the padding byte


def _is_cut_matroska(file: BinaryIO, size: int) -> bool:
    """Whether header or segment is too long. Each has a 4-byte identifier and 1 to 8 bytes of length."""
    at = 0
    for identifier in (MATROSKA, SEGMENT):
        file.seek(at)
        if file.read(4) != identifier or not (first := file.read(1)):
            return False
        n_bytes = 9 - first[0].bit_length()
        length = int.from_bytes(first + file.read(n_bytes - 1), "big") - (1 << 7 * n_bytes)
        if length == (1 << 7 * n_bytes) - 1:  # unknown length, as in live streams
            return False
        at += 4 + n_bytes + length
    return at > size
