"""What is found while a board is set up, in sentences."""

from controller.service.setup.dice_test import ThrownDice
from controller.service.setup.setup_desk import LampWalk
from controller.service.setup.start_check import StartCheck, WrongPlace
from sentences import said_again, say


def start_text(check: StartCheck) -> str:
    """Whether the board is set up."""
    if check.problem is not None:
        return say("setup_start_unread", problem=said_again(check.problem))
    if check.is_well:
        return say("setup_start_well")
    if not check.shows_start:
        return say("setup_start_other")
    return say("setup_start_wrong", n=len(check.wrong))


def wrong_place_text(wrong: WrongPlace) -> str:
    """What lies on a point, and what should lie there."""
    due = _checkers(wrong.due)
    if wrong.seen is None:
        return say("setup_point_hidden", point=wrong.point, due=due)
    return say("setup_point_wrong", point=wrong.point, due=due, seen=_checkers(wrong.seen))


def _checkers(count: int) -> str:
    if count == 0:
        return say("setup_no_checkers")
    return say("setup_light_checkers", n=count) if count > 0 else say("setup_dark_checkers", n=-count)


def dice_text(dice: ThrownDice) -> str:
    """What was thrown, and how it is known."""
    if len(dice.faces) == 2:
        roll = "-".join(map(str, dice.faces))
        return say("setup_dice_heard", roll=roll) if dice.has_tray else say("setup_dice_seen", roll=roll)
    return say("setup_throw_into_tray") if dice.has_tray else say("setup_throw_on_board")


def walk_text(walk: LampWalk) -> str:
    """Which LED is lit, or that the walk is over."""
    if walk.place is None:
        return say("setup_walk_over")
    return say("setup_walk_asks", number=walk.n_seen + 1, n=walk.n)
