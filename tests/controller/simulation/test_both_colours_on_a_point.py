"""A checker carried onto a point that the opponent holds, on the simulated table."""

from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.referee import Effect, GameStarted, OffenceShown
from controller.rules import OffenceKind, Player, Position, after_steps, parse_steps
from controller.service.loop import GameLoop
from controller.simulation.screenplay import Director, drawn_board_settings, scene_of
from hardware.camera import frames_of
from hardware.dice_events import DiceLifted, DiceSettled, SensorFound
from hardware.simulated.drawn_table import BOARD_LOOKS
from hardware.simulated.simulated_table import SimulatedCamera

MADE = after_steps(Position.START, Player.WHITE, parse_steps("8/5 6/5"))
ONTO_IT = parse_steps("24/20 13/7")


def test_a_player_sees_both_colours_on_the_simulated_point():
    both = after_steps(MADE, Player.BLACK, ONTO_IT)
    scene = scene_of(both, Orientation())
    place = Orientation().place(5)
    assert (scene.points[place], scene.guests[place]) == (2, -1)
    for player in Player:
        sign = 1 if player is Player.WHITE else -1
        lying = sum(max(0, sign * n) for n in (*scene.points, *scene.guests))
        assert lying == sum(both.side(player)[1:25]) == 15


def test_a_player_who_lands_on_a_held_point_is_shown_the_offence():
    orientation, look = Orientation(), BOARD_LOOKS[0]
    director = Director(orientation, Position.START)
    director.wait(3000)
    director.carry_checkers(Player.WHITE, parse_steps("8/5 6/5"))
    director.wait(1500)
    lifted_ms = director.script().end_ms
    director.wait(2500)
    director.carry_checkers(Player.BLACK, ONTO_IT)
    director.wait(3000)
    dice = [
        *(DiceSettled(t_ms=2000, die=die, face=face) for die, face in ((1, 3), (2, 1))),
        *(DiceLifted(t_ms=lifted_ms, die=die) for die in (1, 2)),
        *(DiceSettled(t_ms=lifted_ms + 1500, die=die, face=face) for die, face in ((1, 6), (2, 4))),
    ]
    effects: list[Effect] = []
    loop = GameLoop(BoardWatcher(drawn_board_settings(look, orientation)), sinks=(effects.append,))
    loop.handle_event(GameStarted(t_ms=0))
    loop.handle_event(SensorFound(t_ms=0))
    for frame in frames_of(SimulatedCamera(director.script(), look)):
        while dice and dice[0].t_ms <= frame.t_ms:
            loop.handle_event(dice.pop(0))
        loop.handle_frame(frame)
    (shown,) = [effect for effect in effects if isinstance(effect, OffenceShown)]
    (offence,) = shown.offences
    assert offence.kind is OffenceKind.ONTO_HELD_POINT
    assert [place.seen_by(Player.BLACK) for place in offence.places] == [24, 20]
