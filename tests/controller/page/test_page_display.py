"""What the loop of the service tells a page, and several displays at once."""

from controller.page.page_display import DisplayGroup, PageDisplay
from controller.perception.board_settings import BoardSettings
from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.referee import Lamp, LampsChanged, Meaning, RefereeState
from controller.rules import Place, Player
from controller.service.display import NOTHING_ASKED

LIT = LampsChanged(t_ms=0, lamps=(Lamp(place=Place(number=5), meaning=Meaning.OFFENCE),))


def test_what_was_lit_and_told_in_one_match_is_dark_and_stays_told_in_the_next():
    moments = []
    display = PageDisplay(moments.append)
    board = BoardSettings(corners_px=None, bar=(0.46, 0.54), orientation=Orientation())
    for number in (7, 8):
        watcher = BoardWatcher(board)
        names = {Player.WHITE: "Ada", Player.BLACK: "Bert"}
        display.watch(watcher, board.orientation, names, number=lambda number=number: number)
        display.draw(RefereeState(), 0, (), NOTHING_ASKED)
        display.note(LIT)
        display.say(0, f"match {number} goes on")
        display.draw(RefereeState(), 0, (), NOTHING_ASKED)
    assert [len(moment.lamps) for moment in moments] == [0, 1, 0, 1]
    assert [moment.match_number for moment in moments] == [7, 7, 8, 8]
    assert [told.number for told in moments[-1].told] == [1, 2]


def test_all_displays_of_a_game_turn_with_the_board():
    group, displays = DisplayGroup(PageDisplay(print)), (PageDisplay(print), PageDisplay(print))
    for display in displays:
        group.add(display)
    group.orientation = Orientation(white_home="top-left")
    assert {display.orientation for display in displays} == {group.orientation}


def test_a_display_that_was_taken_from_its_group_is_told_nothing_more():
    group, drawn = DisplayGroup(PageDisplay(lambda moment: None)), []
    display = PageDisplay(drawn.append)
    group.add(display)
    group.draw(RefereeState(), 0, (), NOTHING_ASKED)
    group.remove(display)
    group.draw(RefereeState(), 0, (), NOTHING_ASKED)
    assert len(drawn) == 1
