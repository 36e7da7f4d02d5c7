"""Settings are changed in their place; what people wrote beside them stays."""

import os
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import InputError, WorkError
from controller.service.setup.settings_writer import changed_settings, toml_text, write_settings

OLD = """\
# our table
[board]
corners_px = [ # measured in May
  [1, 2], [3, 4],
  [5, 6], [7, 8],
]
light = "white"   # Ada's

[camera]
every_ms = 100
"""


def test_an_option_is_changed_where_it_stands():
    text = changed_settings(
        OLD, {"board": {"light": "black", "corners_px": ((9.5, 8.0), (7.0, 6.0))}}, "a.toml"
    )
    assert text == (
        '# our table\n[board]\ncorners_px = [[9.5, 8.0], [7.0, 6.0]]\nlight = "black"   # Ada\'s\n\n'
        "[camera]\nevery_ms = 100\n"
    )


def test_new_options_and_tables_come_last():
    text = changed_settings(OLD, {"camera": {"device": "picamera"}, "match": {"length": 5}}, "a.toml")
    assert text == OLD + 'device = "picamera"\n\n[match]\nlength = 5\n'
    text = changed_settings(OLD, {"board": {"white_home": "top-left"}}, "a.toml")
    assert text == OLD.replace("# Ada's\n", '# Ada\'s\nwhite_home = "top-left"\n')
    assert changed_settings("", {"match": {"length": 5}}, "a.toml") == "[match]\nlength = 5\n"


def test_an_option_is_left_out():
    text = changed_settings(OLD, {"board": {"corners_px": None}, "match": {"on_roll": None}}, "a.toml")
    assert "corners_px" not in text
    assert "match" not in text


@pytest.mark.parametrize(
    "old",
    [
        'board = { light = "white" }\n',
        'board.light = "white"\n',
        "[board\n",
        "board = 5\n",
        "[[board]]\n",
        f"[board]\nn = {'1' * 5000}\n",
        f"[board]\nn = {'[' * 9000}{']' * 9000}\n",
    ],
    ids=lambda old: old[:20],
)
def test_what_cannot_be_changed_line_by_line_is_refused(old, tmp_path):
    (tmp_path / "a.toml").write_text(old)
    with pytest.raises(InputError, match="write its tables"):
        write_settings(tmp_path / "a.toml", {"board": {"light": "black"}})
    assert (tmp_path / "a.toml").read_text() == old
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]


def test_the_mark_with_which_some_editors_begin_a_file_is_no_reason_to_refuse_it(tmp_path):
    (tmp_path / "a.toml").write_text(OLD, encoding="utf-8-sig")
    write_settings(tmp_path / "a.toml", {"camera": {"every_ms": 200}})
    assert (tmp_path / "a.toml").read_text() == OLD.replace("every_ms = 100", "every_ms = 200")


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\x7f")),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)


@given(value=VALUES, again=VALUES)
def test_what_is_written_is_read_again(value, again):
    plain = tomllib.loads(f"a = {toml_text(value)}")["a"]
    text = changed_settings(OLD, {"match": {"white": value}}, "a.toml")
    assert tomllib.loads(text)["match"]["white"] == plain
    twice = changed_settings(text, {"match": {"white": again}}, "a.toml")
    assert tomllib.loads(twice)["match"]["white"] == tomllib.loads(f"a = {toml_text(again)}")["a"]
    assert twice.startswith(OLD)


def test_the_service_may_read_what_was_written_under_a_strict_umask(tmp_path):
    before = os.umask(0o077)
    try:
        write_settings(tmp_path / "a.toml", {"match": {"length": 5}})
    finally:
        os.umask(before)
    assert (tmp_path / "a.toml").stat().st_mode & 0o777 == 0o640


def test_a_full_disk_is_named_and_no_half_file_stays(tmp_path):
    file = tmp_path / "blotlight.toml"
    file.write_text(OLD)
    (tmp_path / ".new-blotlight.toml").symlink_to("/dev/full")
    with pytest.raises(WorkError, match=r"\(No space left on device\): make room there"):
        write_settings(file, {"camera": {"every_ms": 200}})
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_text() == OLD
