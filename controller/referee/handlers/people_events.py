"""What people say at the table: declarations, corrections, plays taken back, and undoing what they said."""

from dataclasses import replace
from functools import reduce

from controller.referee import priors
from controller.referee.events import ActionDeclared, Event, TurnCorrected, UndoPressed
from controller.referee.half_turn import actions, played_by_rules
from controller.referee.handlers.game_events import finished_games, histories_at_start, with_board_set_up
from controller.referee.handlers.turn_end import end_current_turn, end_game_if_won
from controller.referee.inference.corrections import continued, with_correction
from controller.referee.inference.histories import pruned
from controller.referee.inference.roll_evidence import RollEvidence
from controller.referee.state import RefereePhase, RefereeState, Word
from controller.referee.words.refusals import (
    NO_PLAY,
    no_half_turn,
    why_no_opening_throw,
    why_not_declared,
    why_nothing_was_played,
)
from controller.rules import (
    Action,
    AgreedToAlter,
    Doubled,
    EditedBoard,
    Game,
    IllegalAction,
    NullThrow,
    PutBackUp,
    RequiredRightNumber,
    Rolled,
)
from sentences import said_of, say

PutRight = RequiredRightNumber | AgreedToAlter | NullThrow | PutBackUp
"""Mistakes that people put right as far as the laws allow."""


def with_word(after: RefereeState, before: RefereeState) -> RefereeState:
    """`after`, the state after people said something, with `before` kept for `undo` to go back to.

    Of what was refused, only the refusal stays.
    """
    if after.refusal:
        return replace(before, refusal=after.refusal)
    word = Word(replace(before, words=()), len(after.record), after.rolls)
    return replace(after, words=(*before.words, word)[-priors.MOST_WORDS :])


def refuse(state: RefereeState, event: Event) -> RefereeState:
    """Refuse: there is no play or no game that people could mean."""
    return replace(state, refusal=why_nothing_was_played(state))


def declare_action(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """Take a declaration or refuse it. A double by the player not on roll also ends the turn."""
    action = event.action
    if state.phase is RefereePhase.ROLLED and isinstance(action, Doubled):
        if action.player is state.on_roll:
            return replace(state, refusal=why_not_declared(state, action, say("dice_are_thrown")))
        state = end_current_turn(state, event)
    if isinstance(action, EditedBoard):
        return _set_up_board(state, action)
    if state.other_rules:
        return replace(state, refusal=say("only_corrected", laws=state.rules.laws.name))
    try:
        if isinstance(action, PutRight):
            return _put_right(state, event)
        declared = _with_declared(state, action)
        reduce(Game.push, declared.actions, state.match.game)
    except IllegalAction as error:
        return replace(state, refusal=why_not_declared(state, action, said_of(error)))
    return end_game_if_won(declared)


def _with_declared(state: RefereeState, action: Action) -> RefereeState:
    return replace(state, declared=(*state.declared, (len(state.record), action)))


def _set_up_board(state: RefereeState, board: EditedBoard) -> RefereeState:
    """Set up the board that people describe, with the player whom they name on roll."""
    defects = board.position.problems()
    if defects and not state.other_rules:
        return replace(state, refusal=say("board_impossible", defect=defects[0]))
    history = with_board_set_up(state.likeliest, board)
    set_up = replace(
        _with_declared(state, board),
        phase=RefereePhase.BEFORE_ROLL,
        histories=(history,),
        rolls=(),
        untouched=True,
    )
    return end_game_if_won(set_up)


def _put_right(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """Put a mistake right as far as the laws allow. Raises IllegalAction where they forbid it."""
    action, shown = event.action, state.offence
    if isinstance(action, RequiredRightNumber | AgreedToAlter):
        if state.rolls and shown and shown.index == len(state.record):
            # The wrong play is not over yet. The player can simply change it.
            return state
        state = _with_reported_dice(state)
    in_play = [Rolled(player=state.on_roll, dice=state.rolls[0])] if state.rolls else []
    game = reduce(Game.push, (*state.actions, *in_play, action), state.match.game)
    match action:
        case NullThrow():
            return _throw_again(state, action)
        case PutBackUp():
            # Men are put on the bar that were borne off while another was there. The game goes on.
            board = EditedBoard(position=game.position, on_roll=state.on_roll)
            history = with_board_set_up(state.likeliest, board)
            return replace(_with_declared(state, action), histories=(history,))
        case _:
            return take_play_back(state, event)


def _with_reported_dice(state: RefereeState) -> RefereeState:
    """The last play with the reported dice: people call it wrong, so no misreported die explains it."""
    top = state.likeliest
    turn, parent = top.turn, top.parent
    if turn is None or parent is None or not turn.dice_inferred or state.last_sensor_roll is None:
        return state
    n_turns, dice = state.last_sensor_roll
    if n_turns != len(state.record):
        return state
    wrong = replace(turn, dice=dice, dice_inferred=False, legal=False, words="", turn_state=None)
    return replace(state, histories=(parent.after_turn(wrong, top.past_weight, top.log_likelihood),))


def _throw_again(state: RefereeState, action: NullThrow) -> RefereeState:
    """Declare the dice that lie there void. If they are an opening throw, both players throw again."""
    declared = replace(_with_declared(state, action), tray=state.tray.spent(), roll_evidence=RollEvidence())
    if not state.rolls or not action.voids_roll_of(state.on_roll, from_opening=state.from_opening):
        return declared
    back = replace(declared, rolls=(), untouched=True, disturbed=True)
    if not state.from_opening:
        return replace(back, phase=RefereePhase.BEFORE_ROLL)
    # A game that began without all its men has not begun after all.
    lying = state.likeliest.root.position
    start = state.match.laws.start if state.joined else lying
    return replace(
        back,
        phase=RefereePhase.OPENING,
        from_opening=False,
        joined=None,
        histories=histories_at_start(state, start, None),
    )


def take_play_back(state: RefereeState, event: Event) -> RefereeState:
    """Take the last half-turn back. Its player plays the same roll again, and a throw since is void."""
    last = state.likeliest.turn
    if last is None or last.dice is None:
        return replace(state, refusal=say("nothing_to_take_back"))
    before = [
        history.parent
        for history in state.histories
        if history.parent and history.turn and history.turn.player is last.player
    ]
    return replace(
        state,
        phase=RefereePhase.ROLLED,
        histories=pruned(before),
        rolls=(last.dice,),
        from_opening=False,
        tray=state.tray.spent(),
        roll_evidence=RollEvidence(),
        full_view=state.memory if state.memory.fully_visible else None,
        untouched=False,
        offences_shown=state.offences_shown - {len(state.record) - 1},
    )


def correct_turn(state: RefereeState, event: TurnCorrected) -> RefereeState:
    """Correct a half-turn as people say. Their word is final."""
    game = state.game if event.game is None else event.game
    if game != state.game or state.phase in (RefereePhase.BETWEEN, RefereePhase.OVER):
        return _correct_finished_game(state, game, event)
    if state.phase in NO_PLAY:
        return refuse(state, event)
    histories = with_correction(state.histories, event.index, event.position, event.dice)
    if histories is None:
        return replace(state, refusal=no_half_turn(event.index, len(state.record)))
    if why := why_no_opening_throw(state, event):
        return replace(state, refusal=why)
    return replace(state, histories=histories)


def _correct_finished_game(state: RefereeState, number: int, event: TurnCorrected) -> RefereeState:
    """Correct a half-turn of a game that is over. The game must still end as it did."""
    games = finished_games(state)
    if not 0 <= number < len(games):
        return replace(state, refusal=say("no_finished_game", number=number + 1, n_games=len(games)))
    finished = games[number]
    found = with_correction((finished.course,), event.index, event.position, event.dice)
    if found is None:
        return replace(state, refusal=no_half_turn(event.index, len(finished.course.turns)))
    corrected = replace(finished, course=found[0])
    if not state.other_rules:
        done = state.match.games
        then = done[number]
        begun = Game.new(then.laws, then.stakes, then.first)
        played = played_by_rules(begun, actions(corrected.course.turns, corrected.told))
        if played is None or played.outcome != then.outcome:
            return replace(state, refusal=say("game_would_end_otherwise", game=number + 1))
        match = replace(state.match, games=(*done[:number], played, *done[number + 1 :]))
        state = replace(state, match=match)
    if number == len(state.finished):
        return replace(state, histories=(corrected.course,))
    return replace(state, finished=(*state.finished[:number], corrected, *state.finished[number + 1 :]))


def undo(state: RefereeState, event: UndoPressed) -> RefereeState:
    """The state before people's last word. Half-turns played after a correction keep their boards."""
    if not state.words:
        return replace(state, refusal=say("nothing_to_undo"))
    word, words = state.words[-1], state.words[:-1]
    if _nothing_followed(state, word):
        return replace(
            word.before,
            memory=state.memory,
            full_view=state.full_view,
            sensor=state.sensor,
            lamps=state.lamps,
            recorded=state.recorded,
            words=words,
        )
    if _is_correction(state, word):
        course = continued(word.before.likeliest, state.likeliest.chain_after(word.n_turns))
        return replace(state, histories=(course,), finished=word.before.finished, words=words)
    return replace(state, refusal=say("correct_by_number"))


def _nothing_followed(state: RefereeState, word: Word) -> bool:
    """Whether nothing has been played or thrown since the word."""
    same_game = state.game == word.before.game
    return same_game and len(state.record) == word.n_turns and state.rolls == word.rolls


def _is_correction(state: RefereeState, word: Word) -> bool:
    """Whether the word changed only what was played, and nothing that later declarations rest on."""
    before = word.before
    return (
        len(before.record) == word.n_turns
        and before.phase not in (RefereePhase.BETWEEN, RefereePhase.OVER)
        and before.declared == state.declared[: len(before.declared)]
        and all(n > word.n_turns for n, _ in state.declared[len(before.declared) :])
    )
