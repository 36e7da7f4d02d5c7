"""A play, which is what a player does with one roll, and all plays that the laws allow him.

`LegalPlays.parse` reads legal plays alone, `parse_play` any play of a match file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import permutations, repeat
from typing import Any

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF, Player, Position, check_player
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, ordinary
from controller.rules.plays.packed_steps import Packed, after_step, board_bytes, pack, unpack
from controller.rules.plays.steps import AmbiguousPlay, IllegalPlay, PlayError, Step, notation, parse_steps
from controller.rules.plays.whole_rolls import path_of_roll, whole_roll_results
from controller.rules.plays.written_plays import written_plays
from sentences import say


class Play(tuple[Any, Any]):
    """The steps of one roll in order, and the position that they leave.

    Immutable; two plays are equal when steps and result are. A player who cannot move makes a play of no
    steps that leaves the position as it was.

    Inside it is a pair: either (LegalPlays, packed position), from which steps and result are derived when
    they are asked for, or (steps, result).
    """

    __slots__ = ()

    @classmethod
    def of(cls, steps: tuple[Step, ...], result: Position) -> Play:
        """A play, legal or not, from its steps and its result."""
        return cls((steps, result))

    @property
    def steps(self) -> tuple[Step, ...]:
        plays, end = self
        return plays._steps_to(end) if type(plays) is LegalPlays else plays

    @property
    def result(self) -> Position:
        plays, end = self
        return unpack(end, plays.player) if type(plays) is LegalPlays else end

    def is_legal_for(self, position: Position, player: Player, dice: Dice, laws: Laws) -> bool:
        """Whether it comes from the legal plays of this very roll. False does not mean that it is illegal."""
        plays, _ = self
        return (
            type(plays) is LegalPlays
            and plays.position == position
            and plays.player is player
            and plays.dice == dice
            and plays.laws is laws
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.result == other.result and self.steps == other.steps

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.result)

    def __str__(self) -> str:
        """Standard notation: `8/5 6/5`, `bar/21 24/20*`, `6/off(2)`; `no move` when there are no steps."""
        plays, end = self
        return plays._words_of(end) if type(plays) is LegalPlays else notation(plays)

    def __repr__(self) -> str:
        return f"Play.of({self.steps!r}, {self.result!r})"


class LegalPlays:
    """All legal plays of a roll, one for each position they can leave, in no particular order.

    They are found when first asked for. There is always at least one: of no steps, when nothing can be moved.
    """

    __slots__ = ("_end_set", "_ends", "_steps", "_words", "dice", "laws", "player", "position")

    def __init__(self, position: Position, player: Player, dice: Dice, laws: Laws = MODERN) -> None:
        check_player(player)
        self.position = position
        self.player = player
        self.dice = dice
        self.laws = laws
        self._ends: Collection[Packed] | None = None
        self._end_set: AbstractSet[Packed] | None = None
        self._steps: dict[Packed, tuple[Step, ...]] | None = None
        self._words: dict[Packed, str] | None = None

    def _found(self) -> Collection[Packed]:
        if self._ends is None:
            self._ends = whole_roll_results(pack(self.position, self.player), self.dice, self.laws)
        return self._ends

    def __iter__(self) -> Iterator[Play]:
        return map(Play, zip(repeat(self), self._ends or self._found()))

    def __len__(self) -> int:
        return len(self._ends or self._found())

    def __contains__(self, item: object) -> bool:
        """Whether a legal play leaves this Position, or the result of this Play, or is written as this text.

        False for a text that is no play or fits several legal plays.
        """
        if isinstance(item, str):
            try:
                self.parse(item)
            except PlayError:
                return False
            return True
        if isinstance(item, Play):
            item = item.result
        return isinstance(item, Position) and pack(item, self.player) in self._as_set()

    def _as_set(self) -> AbstractSet[Packed]:
        if self._end_set is None:
            found = self._found()
            self._end_set = found if isinstance(found, set) else set(found)
        return self._end_set

    def in_order(self) -> list[Play]:
        """The plays in an order that depends only on the positions that they leave."""
        return [Play((self, end)) for end in sorted(self._found())]

    def boards(self) -> bytes:
        """The positions that they leave, in the same order, each as the 52 bytes of `Position.packed`."""
        return b"".join(board_bytes(sorted(self._found()), self.player))

    def leading_to(self, position: Position) -> tuple[Play, ...]:
        """The legal play that leaves `position` as a tuple of one; () when there is none."""
        end = pack(position, self.player)
        return (Play((self, end)),) if end in self._as_set() else ()

    def parse(self, text: str) -> Play:
        """The legal play that is written as `text`: `8/5 6/5`, `24/15`, `13/7*/4`, `bar/22(2)`.

        InvalidPlay when the text is no play, IllegalPlay when no legal play fits it, AmbiguousPlay when
        several do: `24/15` may hit on its way or not.
        """
        strokes = parse_steps(text)
        try:
            strokes, result = _made(strokes, self.position, self.player)
        except PlayError as error:
            raise IllegalPlay(self._cannot(error)) from None
        if play := self._play_of(strokes, result):
            return play
        fitting = self._fitting(result)
        if not fitting:
            raise IllegalPlay(self._cannot(text))
        if len(fitting) > 1:
            either = f" {say('or')} ".join(sorted(map(str, fitting)))
            raise AmbiguousPlay(say("ambiguous_play", text=text, plays=either))
        return fitting[0]

    def _cannot(self, play: object) -> str:
        """The message that `play`, a text or an error, cannot be played with these dice."""
        return say("cannot_play_so", player=say(self.player.value), dice=self.dice, play=play)

    def _play_of(self, strokes: tuple[Step, ...], result: Position) -> Play | None:
        """The legal play that leaves `result`, with `strokes` as its steps if each plays one number."""
        if result not in self:
            return None
        if self.are_single_steps(strokes):
            return Play.of(strokes, result)
        return self.leading_to(result)[0]

    def _fitting(self, result: Position) -> list[Play]:
        """The legal plays that leave the mover's own checkers as in `result`, whatever they hit."""
        own = result.side(self.player)
        return [play for play in self if play.result.side(self.player) == own]

    def are_single_steps(self, strokes: Sequence[Step]) -> bool:
        """Whether the strokes, in some order, each play one number of the roll."""
        start = pack(self.position, self.player)
        numbers = self.dice.numbers
        if _plays_out(start, strokes, numbers):
            return True
        return any(_plays_out(start, order, numbers) for order in permutations(strokes))

    def _steps_to(self, end: Packed) -> tuple[Step, ...]:
        if self._steps is None:
            self._steps = {}
        if end not in self._steps:
            path = path_of_roll(pack(self.position, self.player), end, self.dice, self.laws)
            self._steps[end] = tuple(Step(*step) for step in path)
        return self._steps[end]

    def _words_of(self, end: Packed) -> str:
        if self._words is None:
            start = pack(self.position, self.player)
            self._words = written_plays(start, self._found(), self.dice, self.laws)
        return self._words[end]

    def __repr__(self) -> str:
        return f"legal_plays({self.position!r}, {self.player}, {self.dice!r})"


def legal_plays(position: Position, player: Player, dice: Dice, laws: Laws = MODERN) -> LegalPlays:
    """All legal plays of `dice` for `player` in `position`.

    Never empty: a player who cannot move has one play, of no steps, whose result is `position`. WrongGame
    for the laws of a game whose checkers are entered by throws: use `rules_of` for those.
    """
    return LegalPlays(position, player, dice, laws if type(laws) is Laws else ordinary(laws))


def parse_play(
    text: str, position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """The play that `text` means, and whether it is legal; `LegalPlays.parse` is for legal plays alone.

    A stroke for several numbers hits on its way only where the text says so, if it can be played that way;
    otherwise a legal play that leaves the player's own checkers so is taken. PlayError when the text is no
    play, or starts from a place where the player has no checker.
    """
    return play_of_strokes(parse_steps(text), position, player, dice, laws)


def play_of_strokes(
    strokes: tuple[Step, ...], position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """`parse_play` for strokes already parsed. Steps that each play one number are kept as they are."""
    strokes, result = _made(strokes, position, player)
    plays = legal_plays(position, player, dice, laws)
    if play := plays._play_of(strokes, result):
        return play, True
    if fitting := plays._fitting(result):
        return fitting[0], True
    return Play.of(strokes, result), False


def after_steps(position: Position, player: Player, steps: Iterable[Step]) -> Position:
    """The position after `steps`, legal or not; a blot that is landed on goes to the bar.

    PlayError when a step starts from a place where `player` has no checker.
    """
    own, opposing = list(position.side(player)), list(position.side(player.opponent))
    for step in steps:
        if not own[step.source]:
            raise IllegalPlay(say("no_checker_there", step=step, player=say(player.value)))
        own[step.source] -= 1
        own[step.target] += 1
        if step.target != OFF and opposing[BAR - step.target] == 1:
            opposing[BAR - step.target] -= 1
            opposing[BAR] += 1
    return Position.of(player, own, opposing)


def _made(strokes: tuple[Step, ...], position: Position, player: Player) -> tuple[tuple[Step, ...], Position]:
    """The strokes, marked where they hit, and the position after them.

    They are made in the order written. If that order starts from an empty place, they are made with the
    rearmost checkers first; PlayError if that does too.
    """
    try:
        result = after_steps(position, player, strokes)
    except PlayError:
        strokes = tuple(sorted(strokes, key=lambda step: -step.source))
        result = after_steps(position, player, strokes)
    return with_hits(strokes, position, player), result


def with_hits(strokes: Iterable[Step], position: Position, player: Player) -> tuple[Step, ...]:
    """The strokes with `hit` set exactly where they hit a blot."""
    opposing = position.side(player.opponent)
    blots = {BAR - place for place in range(1, BAR) if opposing[place] == 1}
    marked = []
    for step in strokes:
        marked.append(Step(step.source, step.target, step.target in blots))
        blots.discard(step.target)
    return tuple(marked)


def _plays_out(packed: Packed, strokes: Sequence[Step], numbers: tuple[int, ...]) -> bool:
    """Whether the strokes, in this order, each play one of `numbers`."""
    if not strokes:
        return True
    first, rest = strokes[0], strokes[1:]
    for number in dict.fromkeys(numbers):
        after = after_step(packed, first.source, first.target, number)
        if after is not None:
            at = numbers.index(number)
            if _plays_out(after, rest, numbers[:at] + numbers[at + 1 :]):
                return True
    return False
