"""Builds a game while its file is read. Each problem is noted, and reading continues."""

from __future__ import annotations

from dataclasses import replace

from controller.record.match_record import MOST_ACTIONS, GameRecord, Problem
from controller.record.unwritten import RefusedOffer, plays_and_doubles
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Cube,
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    Passed,
    Player,
    Position,
    PositionError,
    Rolled,
    Step,
    Took,
    Win,
    play_of_strokes,
)
from sentences import say


class GameBeingRead:
    """The game as far as its file has been read. What a file leaves out is filled in where it is clear.

    line: the number of the line being read, for the problems.
    """

    def __init__(self, match: Match, problems: list[Problem]) -> None:
        self.game: Game = match.game
        self.score = match.score
        self.refused: list[RefusedOffer] = []
        self.line = 0
        self._problems = problems

    def record(self) -> GameRecord:
        """The game read so far."""
        return GameRecord.of(self.game, self.score)

    def problem(self, message: str) -> None:
        """Note a problem on the line being read."""
        self._problems.append(Problem(self.line, message))

    def roll(self, player: Player, dice: Dice) -> bool:
        """The player rolls. Returns False when he cannot, because the game is over."""
        if self.game.phase is GamePhase.OVER:
            self.problem(say("roll_after_end", player=player.value, dice=dice))
            return False
        self._answer_double_for(player)
        self._bring_to_roll(player)
        return self._push(Rolled(player=player, dice=dice))

    def play(self, player: Player, strokes: tuple[Step, ...]) -> None:
        """The roll is played as written. A play against the laws becomes an irregular one."""
        dice = self.game.dice
        if self.game.phase is not GamePhase.TO_MOVE or dice is None:
            return
        try:
            play, legal = play_of_strokes(strokes, self.game.position, player, dice, self.game.laws)
        except ValueError as error:
            self.problem(say("roll_and_problem", player=player.value, dice=dice, problem=error))
            return
        if legal:
            self._push(Moved(player=player, steps=play.steps))
            return
        self.problem(say("taken_as_irregular", player=player.value, dice=dice, play=play))
        self._push(MovedIrregularly(player=player, result=play.result, steps=play.steps))

    def stood(self, player: Player, board: Position) -> None:
        """The roll was played irregularly, and `board` stood after it."""
        self._push(MovedIrregularly(player=player, result=board))

    def edited(self, board: Position, on_roll: Player) -> None:
        """The board is set up by hand."""
        self._push(EditedBoard(position=board, on_roll=on_roll))

    def double(self, player: Player, value: int | None = None) -> None:
        """A double, to `value` if the file gives one. A beaver where a double has yet to be answered."""
        if self.game.phase is GamePhase.DOUBLED:
            self.beaver(player)
            return
        if self.game.phase is GamePhase.TO_ROLL:
            self._bring_to_roll(player)
        if value is not None and value != 2 * self.game.cube.value:
            self._cube_must_have_shown(value // 2, say("doubles_to", value=value))
        self._push(Doubled(player=player))

    def beaver(self, player: Player) -> None:
        """A beaver. It shows that beavers were agreed on."""
        self.game = replace(self.game, stakes=replace(self.game.stakes, beavers=True))
        self._push(Beavered(player=player))

    def take(self, player: Player) -> None:
        self._push(Took(player=player))

    def drop(self, player: Player) -> None:
        self._push(Passed(player=player))

    def won(self, winner: Player, points: int) -> None:
        """The file gives winner and points. The loser has resigned, unless the game is over already."""
        self._agree_on_backgammon(points)
        if self.game.outcome is None:
            self._resign(winner, points)
        outcome = self.game.outcome
        if outcome is None or (winner, points) == (outcome.winner, outcome.points):
            return
        if winner is outcome.winner and self.game.cube.owner is None and points == self.game.cube.value:
            # Only the Jacoby rule makes an undoubled gammon count no more than a single game.
            outcome = replace(outcome, win=Win.SINGLE, points=points)
            self.game = replace(self.game, stakes=replace(self.game.stakes, jacoby=True), outcome=outcome)
            return
        due = say("has_won", winner=outcome.winner.value, points=outcome.points)
        self.problem(say("wins_by_file", winner=winner.value, points=points, due=due))

    def _agree_on_backgammon(self, points: int) -> None:
        """Note an agreed value of a backgammon, shown by points that nothing else can count."""
        count, rest = divmod(points, self.game.cube.value)
        stakes, laws = self.game.stakes, self.game.laws
        if rest or count <= max(laws.points) or count not in laws.backgammon_may_count:
            return
        outcome = self.game.outcome
        if outcome is not None and outcome.win is Win.BACKGAMMON:
            outcome = replace(outcome, points=points)
        self.game = replace(self.game, stakes=replace(stakes, backgammon=count), outcome=outcome)

    def _resign(self, winner: Player, points: int) -> None:
        multiple, rest = divmod(points, self.game.cube.value)
        if not rest and multiple == self.game.stakes.backgammon:
            multiple = Win.BACKGAMMON.value
        if rest or not 1 <= multiple <= 3:
            self.problem(say("taken_as_single", points=points, cube=self.game.cube.value))
            multiple = 1
        offer = OfferedResignation(player=winner.opponent, win=Win(multiple))
        self._push(offer, AcceptedResignation(player=winner))

    def _push(self, *actions: Action) -> bool:
        """Apply the actions. An impossible one becomes a problem, and the rest are left out."""
        for action in actions:
            if len(self.game.actions) >= MOST_ACTIONS:
                self.problem(say("too_many_actions", most=MOST_ACTIONS))
                return False
            try:
                self.game = self.game.push(action)
            except (IllegalAction, PositionError) as error:
                self.problem(say("action_and_problem", action=type(action).__name__, problem=error))
                return False
            self._refuse_offers()
        return True

    def _refuse_offers(self) -> None:
        """Insert the refused resignations that are due now."""
        while self.refused and self.game.phase in (GamePhase.TO_ROLL, GamePhase.TO_MOVE):
            offer = self.refused[0]
            rolled = self.game.phase is GamePhase.TO_MOVE
            if (offer.n_before, offer.rolled) != (plays_and_doubles(self.game.actions), rolled):
                return
            del self.refused[0]
            for action in offer.actions():
                self.game = self.game.push(action)

    def _answer_double_for(self, player: Player) -> None:
        """Accept an open double before `player` rolls. It is a problem unless he is the one who was asked."""
        asked = self.game.asked
        if self.game.phase is not GamePhase.DOUBLED or asked is None:
            return
        if asked is not player:
            self.problem(say("taken_as_accepted", player=asked.value))
        self._push(Took(player=asked))

    def _bring_to_roll(self, player: Player) -> None:
        """Make it the turn of `player` to roll, where the file leaves out what came before."""
        turn = self.game.turn
        if self.game.phase is GamePhase.TO_MOVE and turn is not None:
            self.problem(say("roll_not_played", player=turn.value, dice=self.game.dice))
            self.edited(self.game.position, player)
        elif self.game.phase is GamePhase.TO_ROLL and turn is not None and turn is not player:
            if self.game.position.is_closed_out(turn):
                self._push(DidNotThrow(player=turn))
                return
            self.problem(say("no_play_before", player=turn.value, later=player.value))
            self.edited(self.game.position, player)

    def cube_shows_at_first(self, text: str, owner: Player | None = None) -> None:
        """The cube shows `text` at first: after automatic doubles, or in a game joined in progress."""
        if text.isascii() and text.isdigit() and len(text) < 9:
            self._cube_must_have_shown(int(text), say("cube_begins_at", text=text), owner)
        else:
            self.problem(say("no_cube_value", text=text[:20]))

    def _cube_must_have_shown(self, shown: int, what: str, owner: Player | None = None) -> None:
        turned = any(isinstance(action, Doubled) for action in self.game.actions)
        is_power_of_two = shown > 0 and not shown & (shown - 1)
        if turned or not is_power_of_two:
            self.problem(say("cube_shows_other", what=what, value=self.game.cube.value))
            return
        self.cube_was(Cube(shown, owner))

    def cube_was(self, cube: Cube) -> None:
        """The cube showed this before the first action."""
        self.game = self.game.changed(cube=cube, cube_at_start=cube)
