"""Whether a film is whole is read from the lengths that its container names."""

import pytest

from hardware.film_files import is_cut_short

SEGMENT = bytes.fromhex("18538067")
HEADER = bytes.fromhex("1a45dfa3") + b"\x84head"


def box(kind: bytes, content: bytes = b"") -> bytes:
    return (8 + len(content)).to_bytes(4, "big") + kind + content


def riff(content: bytes) -> bytes:
    return b"RIFF" + len(content).to_bytes(4, "little") + content


START = box(b"ftyp", b"isom") + box(b"moov", b"index")
FRAGMENT = box(b"moof", b"where") + box(b"mdat", b"pictures")
WHOLE = {
    "mp4": box(b"ftyp", b"isom") + box(b"mdat", b"pictures") + box(b"moov", b"index"),
    "mp4 with its index first": START + box(b"mdat", b"pictures"),
    "mp4 in fragments": START + FRAGMENT + FRAGMENT,
    "mp4 with a long box": START + (1).to_bytes(4, "big") + b"mdat" + (20).to_bytes(8, "big") + b"pics",
    "photograph of a telephone": box(b"ftyp", b"heic") + box(b"meta", b"index") + box(b"mdat", b"picture"),
    "avi": riff(b"AVI " + b"pictures"),
    "avi of two parts": riff(b"AVI pictures") + riff(b"AVIXpictures"),
    "avi of two parts, the first padded": riff(b"AVI picture") + b"\0" + riff(b"AVIXpictures"),
    "mkv": HEADER + SEGMENT + b"\x88pictures",
    "mkv with a long length": HEADER + SEGMENT + b"\x01\0\0\0\0\0\0\x08pictures",
}


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_a_whole_film_is_whole_and_one_without_its_end_is_cut(tmp_path, data):
    film = tmp_path / "film"
    film.write_bytes(data)
    assert not is_cut_short(film)
    film.write_bytes(data[:-3])
    assert is_cut_short(film)


@pytest.mark.parametrize(
    "data",
    [box(b"ftyp", b"isom") + box(b"mdat", b"pictures"), START + (3).to_bytes(4, "big") + b"mdat"],
    ids=["without its index", "with a box shorter than its head"],
)
def test_a_film_whose_recorder_lost_its_power_is_cut_though_each_part_ends_in_the_file(tmp_path, data):
    film = tmp_path / "film"
    film.write_bytes(data)
    assert is_cut_short(film)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        HEADER + SEGMENT + b"\xff" + b"pictures",
        START + (0).to_bytes(4, "big") + b"mdatpict",
        riff(b"AVI pictures") + b"a tag behind",
    ],
    ids=["empty", "another kind", "mkv of unknown length", "mp4 up to the end of the file", "avi and more"],
)
def test_a_film_that_does_not_tell_its_length_is_not_called_cut(tmp_path, data):
    film = tmp_path / "film"
    film.write_bytes(data)
    assert not is_cut_short(film)
