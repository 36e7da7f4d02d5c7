"""Russian and Turkish backgammon once more, slowly and plainly, for the real rules to be held against.

Written from the texts alone: a game is a dict of dicts, points are counted from the entrance as the texts
count them (1 is the first point, 12 the twelfth, 19 to 24 the home table), and every order is tried.
"""

from collections.abc import Iterator

from controller.rules import Player, Position
from controller.rules.board.turn_state import Marks, TurnState
from controller.rules.entering.entering_laws import Complement, EnteringLaws, ShiftEnds

OTHER = {"white": "black", "black": "white"}


class PlainGame:
    """Men of each side: {"waiting": n, "up": n, "borne": n, 1: n, ...}; what each has done; who throws."""

    def __init__(self, laws, men, done, thrower, choosing=False):
        self.laws, self.men, self.done, self.thrower, self.choosing = laws, men, done, thrower, choosing

    def key(self):
        def shown(side):
            men = {place: n for place, n in self.men[side].items() if n}
            return tuple(sorted(men.items(), key=str)), tuple(sorted(self.done[side]))

        return shown("white"), shown("black"), self.thrower, self.choosing

    def copy(self):
        men = {side: dict(men) for side, men in self.men.items()}
        done = {side: set(done) for side, done in self.done.items()}
        return PlainGame(self.laws, men, done, self.thrower, self.choosing)

    def with_next(self, thrower, choosing=False):
        after = self.copy()
        after.thrower, after.choosing = thrower, choosing
        return after


def there(game, side, point):
    """How many of the adversary's men stand on what `side` calls `point`."""
    if game.laws.entrances_opposite:
        point = point + 12 if point <= 12 else point - 12
    return game.men[OTHER[side]].get(point, 0)


def single_moves(game: PlainGame, side: str, number: int) -> Iterator[PlainGame]:
    """The game after each way for `side` to play one number with one man."""
    men = game.men[side]
    movable = ["up"] if men.get("up") else ["waiting", *range(1, 25)]
    for place in [place for place in movable if men.get(place)]:
        enters = place in ("up", "waiting")
        to = number + (counts_as_one(game, side) if enters else place)
        if to > 24:
            if may_bear(game, side, place, number):
                yield moved(game, side, place, "borne")
        elif there(game, side, to) < 2 and turkish_allows(game, side, place, to):
            yield moved(game, side, place, to)


def may_bear(game, side, place, number):
    men = game.men[side]
    at_home = sum(men.get(point, 0) for point in range(19, 25)) + men.get("borne", 0)
    if at_home < 15:
        return False
    exact = place + number == 25
    return exact or not any(men.get(point) for point in range(19, place))


def moved(game, side, place, to):
    after = game.copy()
    mine, theirs = after.men[side], after.men[OTHER[side]]
    mine[place] -= 1
    mine[to] = mine.get(to, 0) + 1
    if to != "borne" and there(game, side, to) == 1:
        theirs_point = to if not game.laws.entrances_opposite else (to + 12 if to <= 12 else to - 12)
        theirs[theirs_point] -= 1
        theirs["up"] = theirs.get("up", 0) + 1
    if game.laws.placing:
        if not mine.get("up") and not mine.get("waiting"):
            after.done[side].add("all in")
        if "all in" in after.done[side] and not mine.get(1):
            after.done[side].add("first two out")
        if mine.get(12, 0) >= 2:
            after.done[side].add("covered twelfth")
    return after


def counts_as_one(game, side):
    """One, while the first point and the second count as one in entering; else nought."""
    placing = game.laws.placing
    if not placing or "first two out" in game.done[side]:
        return 0
    if placing.shift_ends is ShiftEnds.ALL_IN and "all in" in game.done[side]:
        return 0
    return 1


def turkish_allows(game, side, place, to):
    placing, men, done = game.laws.placing, game.men[side], game.done[side]
    if not placing:
        return True
    if place == 1 and "all in" not in done and "first two out" not in done:
        return False
    makes_a_point = men.get(to, 0) == 1
    if not makes_a_point:
        return True
    if "all in" not in done:
        if place == "up" and placing.hit_may_cover:
            return True
        if place in ("up", "waiting"):
            return False
        if to <= placing.closed_while_entering:
            return False
    if to <= 12 or men.get(12, 0) >= 2:
        return True
    if "covered twelfth" in done and not placing.twelfth_must_be_held:
        return True
    still_to_come = (
        men.get("up", 0) + men.get("waiting", 0) + sum(men.get(point, 0) for point in range(1, 13))
    )
    return still_to_come < 2 and not placing.binds_to_the_end


def over(game):
    return any(men.get("borne") == 15 for men in game.men.values())


def plain_plays(game: PlainGame, dice: tuple[int, int]) -> dict:
    """Every game that the throw may lead to, by its key."""
    high, low = max(dice), min(dice)
    side = game.thrower
    if high != low:
        chooses = game.laws.deuce_ace and (high, low) == (2, 1)
        return throw(game, side, [[[high, low]]], side if chooses else OTHER[side], chooses)
    doublets = [high] * 4
    opposite = [7 - high] * 4
    again = side if game.laws.throws_again else OTHER[side]
    if game.choosing:
        return throw(game, side, [[doublets, opposite]], again)
    first = "had doublets" not in game.done[side]
    if game.laws.first_doublets_withheld:
        game = game.copy()
        game.done[side].add("had doublets")
        if first:
            return throw(game, side, [[doublets]], OTHER[side])
    if game.laws.complement is Complement.NONE:
        return throw(game, side, [[doublets]], OTHER[side])
    if game.laws.complement is Complement.OPTIONAL:
        plain = throw(game, side, [[doublets]], OTHER[side])
        return plain | throw(game, side, [[doublets, opposite]], again)
    return throw(game, side, [[doublets, opposite]], again)


def throw(game, side, ways, then, choosing=False):
    """All that comes of playing the stages of each way; `then` throws next when they are complete."""
    found = {}
    for stages in ways:
        found |= thrower_plays(game, side, stages, then, choosing)
    return found


def thrower_plays(game, side, stages, then, choosing):
    ends = []
    seen = set()

    def play(now, stages, played):
        """Try everything; note where it ends, how many numbers were played, and what is left."""
        at = (now.key(), repr(stages))
        if at in seen:
            return
        seen.add(at)
        if over(now) or not stages:
            ends.append((now, played, stages))
            return
        stuck = True
        for number in set(stages[0]):
            rest = list(stages[0])
            rest.remove(number)
            later = [rest, *stages[1:]] if rest else stages[1:]
            for after in single_moves(now, side, number):
                stuck = False
                play(after, later, played + 1)
        if stuck:
            ends.append((now, played, stages))

    play(game, stages, 0)
    most = max(played for _, played, _ in ends)
    longest = [end for end in ends if end[1] == most or over(end[0])]
    if most == 1 and game.laws.higher_number_compelled and len(stages[0]) == 2:
        with_higher = [end for end in longest if max(stages[0]) not in end[2][0]]
        longest = with_higher or longest
    found = {}
    for end, _, left in longest:
        if over(end):
            ends_here = [end.with_next(OTHER[side])]
        elif not left:
            ends_here = [end.with_next(then, choosing)]
        elif game.laws.continuation:
            ends_here = list(adversary_plays_on(end, side, left, then, choosing).values())
        else:
            ends_here = [end.with_next(OTHER[side])]
        found |= {each.key(): each for each in ends_here}
    return found


def adversary_plays_on(game, side, stages, then, choosing):
    found = {}
    for number in set(stages[0]):
        rest = list(stages[0])
        rest.remove(number)
        for after in single_moves(game, OTHER[side], number):
            if over(after) or not rest:
                end = after.with_next(OTHER[side])
                found[end.key()] = end
            else:
                found |= thrower_plays(after, side, [rest, *stages[1:]], then, choosing)
    if not found:
        end = game.with_next(OTHER[side])
        found[end.key()] = end
    return found


def new_game(laws: EnteringLaws, leader: str) -> PlainGame:
    men = {side: {"waiting": 15} for side in OTHER}
    done: dict = {side: {"first two out"} for side in OTHER}
    if laws.placing:
        for side in [leader] if laws.placing.leader_only else OTHER:
            men[side] = {"waiting": 13, 1: 2}
            done[side] = set()
    return PlainGame(laws, men, done, leader)


MARKS = {
    "had doublets": Marks.HAD_DOUBLETS,
    "all in": Marks.ALL_ENTERED,
    "first two out": Marks.MOVED_OUT,
    "covered twelfth": Marks.COVERED_TWELFTH,
}


def from_stand(turn_state: TurnState, laws: EnteringLaws) -> PlainGame:
    """The plain game of a stand."""
    men, done = {}, {}
    for player in Player:
        counts = turn_state.position.side(player)
        men[player.value] = {
            "waiting": turn_state.waiting_of(player),
            "up": counts[25],
            "borne": turn_state.borne(player),
        }
        men[player.value] |= {point: counts[board_point(player, point, laws)] for point in range(1, 25)}
        done[player.value] = {word for word, mark in MARKS.items() if mark & turn_state.marks_of(player)}
    return PlainGame(laws, men, done, turn_state.on_roll.value, turn_state.choosing)


def board_point(player, point, laws):
    """What the player calls a point in the ordinary game; White's first is his 24, Black's his 1 or 13."""
    if player is Player.WHITE:
        return 25 - point
    if not laws.entrances_opposite:
        return point
    return point + 12 if point <= 12 else point - 12


def stand_of(game: PlainGame) -> TurnState:
    """The stand of a plain game."""
    waiting = tuple(game.men[player.value].get("waiting", 0) for player in Player)
    marks = []
    for player in Player:
        marks.append(Marks.NONE)
        for word in game.done[player.value]:
            marks[-1] |= MARKS[word]
    return TurnState(board_of(game), Player(game.thrower), waiting, tuple(marks), choosing=game.choosing)


def a_stand(laws: EnteringLaws, thrower="white", choosing=False, done=(), **men) -> TurnState:
    """The stand with `white` and `black` men so; those not told of are borne. `done` holds of both sides."""
    sides = {side: dict(men[side]) for side in OTHER}
    for side in sides.values():
        side["borne"] = 15 - sum(side.values())
    marks = {side: {"first two out", *done} for side in OTHER}
    return stand_of(PlainGame(laws, sides, marks, thrower, choosing))


def board_of(game: PlainGame) -> Position:
    """The board as it lies."""
    sides = []
    for player in Player:
        men = game.men[player.value]
        counts = [0] * 26
        counts[0], counts[25] = men.get("waiting", 0) + men.get("borne", 0), men.get("up", 0)
        for point in range(1, 25):
            counts[board_point(player, point, game.laws)] = men.get(point, 0)
        sides.append(counts)
    return Position(*sides)
