"""What may be typed while a game is watched, and what it means."""

from collections.abc import Iterable

from sentences import Key, say

GAME_HELP = (
    ("done", Key("help_done")),
    ("double · take · pass · beaver", Key("help_double_take_pass_beaver")),
    ("resign · resign gammon", Key("help_resign_resign_gammon")),
    ("accept · refuse", Key("help_accept_refuse")),
    ("1 · 2 · 3", Key("help_1_2_3")),
    ("correct 12 8/5 6/5", Key("help_correct_12_8_5_6_5")),
    ("correct 12 31: 8/5 6/5", Key("help_correct_12_31_8_5_6_5")),
    ("correct game 1 12 8/5 6/5", Key("help_correct_game_1_12_8_5_6_5")),
    ("take back", Key("help_take_back")),
    ("undo", Key("help_undo")),
    ("set up WHITE:BLACK white", Key("help_set_up_white_black_white")),
    ("set up 4HPwATDgc/ABMA black", Key("help_set_up_4hpwatdgc_abma_black")),
    ("start · start WHITE:BLACK black", Key("help_start_start_white_black_black")),
    ("cocked", Key("help_cocked")),
    ("null throw black tilted", Key("help_null_throw_black_tilted")),
    ("right number black", Key("help_right_number_black")),
    ("alter", Key("help_alter")),
    ("up white 1", Key("help_up_white_1")),
    ("pause · go on", Key("help_pause_go_on")),
    ("help · more", Key("help_help_more")),
    ("quit", Key("help_quit")),
)
COLUMN = 33
"""Characters of the column that shows what is typed. The longest entry has 31."""


def help_lines(entries: Iterable[tuple[str, Key]]) -> list[str]:
    """A line for each entry: what is typed, and what it means."""
    return [f"{typed:<{COLUMN}}{say(meaning)}" for typed, meaning in entries]
