"""What the page shows of what was told."""

from controller.page.page_display import PageDisplay
from controller.page.snapshot import snapshot_of
from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.referee import RollCalled
from controller.rules import Dice, Player
from controller.service.display import NOTHING_ASKED


def test_what_was_told_of_a_match_names_its_players_when_others_play_the_next():
    moments = []
    display = PageDisplay(moments.append)
    old, new = MatchSettings(white="Ada", black="Bert"), MatchSettings(white="Cleo", black="Dora")
    display.watch(None, Orientation(), old.names)
    display.note(RollCalled(t_ms=0, player=Player.WHITE, dice=Dice(3, 1)))
    display.watch(None, Orientation(), new.names)
    display.note(RollCalled(t_ms=1000, player=Player.WHITE, dice=Dice(5, 2)))
    display.draw(new.state(), 1000, (), NOTHING_ASKED)
    assert [one.text for one in snapshot_of(moments[-1]).told] == ["Ada rolls 3-1.", "Cleo rolls 5-2."]
