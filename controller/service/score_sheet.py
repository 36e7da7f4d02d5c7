"""The record of a game as text for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.record.mat_writer import in_two_columns
from controller.record.match_settings import MatchSettings
from controller.referee import HalfTurn, OffenceShown
from controller.referee.words.refusals import name_of
from controller.referee.words.sentences import (
    WINS,
    Speech,
    call,
    effect_sentence,
    outcome_text,
    play_made,
)
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Doubled,
    EditedBoard,
    OfferedResignation,
    Passed,
    Player,
    RefusedResignation,
    Took,
)
from controller.rules.openings.opening_book import Book
from controller.service.book_hints import book_line
from controller.service.matches.gnubg_analysis import DECIDED, Decision
from controller.service.matches.played_matches import PlayedMatch, crawford_games
from controller.service.recordings.transcript import Transcript
from sentences import say

COLUMN_WIDTH = 36
"""Characters of White's column. Chosen by eye."""
Losses = Mapping[tuple[int, int, Decision], float]
NO_LOSSES: Mapping[Any, float] = {}
UNSEEN_MARK = "~"
"""Marks a half-turn that no picture shows."""


def transcript_text(
    transcript: Transcript, match: MatchSettings, speech: Speech = Speech.PLAIN, *, book: Book | None = None
) -> str:
    """The score sheet, below it the offences, and the first play that `book` advises."""
    lines = match_sheet(transcript.played(match), speech)
    several = len(transcript.games) > 1
    for number, game in enumerate(transcript.games):
        heading = say("shown_in_game", game=number + 1) if several else say("shown_during")
        lines += _offence_lines(heading, number, transcript.shown, match, speech)
        heading = say("not_shown_in_game", game=number + 1) if several else say("not_shown")
        lines += _offence_lines(heading, number, transcript.not_shown, match, speech)
        advised = book_line(game.turns, match.position, book, speech) if book else None
        if advised:
            lines += ["", advised]
    return "\n".join(lines)


def _offence_lines(
    heading: str,
    game: int,
    offences: Mapping[tuple[int, int], Sequence[OffenceShown]],
    match: MatchSettings,
    speech: Speech,
) -> list[str]:
    """A heading and a line for each offence of a game, in order of half-turns; [] if there is none."""
    lines = [
        f"{index + 1:3}. {effect_sentence(offence, match.names, speech)}"
        for (of_game, index), found in sorted(offences.items())
        for offence in found
        if of_game == game
    ]
    return ["", heading, *lines] if lines else []


def match_sheet(
    played: PlayedMatch,
    speech: Speech = Speech.PLAIN,
    losses: Losses = NO_LOSSES,
) -> list[str]:
    """The lines of a match: the players, then each game with the score before it and its result.

    losses: what a decision cost, by game, half-turn (both from 1) and kind, as GNU Backgammon says.
    """
    match = played.match
    date = f", {played.date.isoformat()}" if played.date else ""
    two = say("white_v_black", white=match.white, black=match.black)
    lines = [f"{', '.join(match.chouette) or two}, {_length_text(match.length)}{date}"]
    score = dict.fromkeys(Player, 0)
    crawford = crawford_games(played)
    for number, game in enumerate(played.games, start=1):
        text = f"{score[Player.WHITE]}-{score[Player.BLACK]}"
        heading = say("game_and_score", game=number, score=text)
        if number - 1 in crawford:
            heading = say("crawford_game_and_score", game=number, score=text)
        names = match.names_after(game.outcome for game in played.games[: number - 1])
        if match.chouette:
            seated = say("box_v_captain", box=names[Player.WHITE], captain=names[Player.BLACK])
            heading = f"{heading}, {seated}"
        lines += ["", *([heading] if len(played.games) > 1 or match.chouette else [])]
        lost = {key[1:]: loss for key, loss in losses.items() if key[0] == number}
        lines += score_sheet(game.turns, speech, game.declared, lost)
        if game.outcome:
            score[game.outcome.winner] += game.outcome.points
            lines.append(f"     {outcome_text(game.outcome, names)}")
    if played.chouette:
        lines += ["", f"{played.chouette}."]
    if any(turn.unseen for game in played.games for turn in game.turns):
        lines += ["", say("unseen_mark_means", mark=UNSEEN_MARK)]
    return lines


def score_sheet(
    turns: Sequence[HalfTurn],
    speech: Speech = Speech.PLAIN,
    declared: Sequence[tuple[int, Action]] = (),
    losses: Mapping[tuple[int, Decision], float] = NO_LOSSES,
) -> list[str]:
    """The lines of the score sheet.

    `!` marks an illegal play that stood, `?` inferred dice, `~` a half-turn that no picture shows.
    In plain words a line holds two half-turns, White's on the left; in old words it holds one.
    declared: what people said, each with the number of half-turns before it. It is shown where it was said.
    losses: what a decision cost, by half-turn and kind. It is shown in brackets.
    """
    cells = list(_cells(turns, declared, speech, losses))
    if speech is Speech.OLD:
        return [f"{n:3}. {name_of(player)}, {text}" for n, (player, text) in enumerate(cells, start=1)]
    return [
        f"{n:3}) {left:<{COLUMN_WIDTH - 1}} {right}".rstrip()
        for n, (left, right) in enumerate(in_two_columns(cells), start=1)
    ]


def _cells(
    turns: Sequence[HalfTurn],
    declared: Sequence[tuple[int, Action]],
    speech: Speech,
    losses: Mapping[tuple[int, Decision], float],
) -> Iterator[tuple[Player, str]]:
    """(player, text) of each half-turn and each word, in the order of play."""
    waiting, cube = list(declared), 1
    number = 1
    """Number of the half-turn as GNU Backgammon counts: match files hold none whose roll is not known."""

    def with_loss(text: str, *decisions: Decision) -> str:
        loss = sum(losses.get((number, decision), 0.0) for decision in decisions)
        return f"{text} ({-loss:.3f})" if loss else text

    for n_played, turn in enumerate((*turns, None)):
        while waiting and (waiting[0][0] <= n_played or turn is None):
            _, action = waiting.pop(0)
            cube *= 2 if isinstance(action, Took | Beavered) else 1
            if said := _declared_cell(action, cube):
                player, text = said
                decisions = DECIDED.get(type(action))
                yield player, with_loss(text, decisions) if decisions else text
        if turn is not None:
            yield turn.player, with_loss(half_turn_text(turn, speech), Decision.PLAY, Decision.NO_DOUBLE)
            number += turn.dice is not None


def _declared_cell(action: Action, cube: int) -> tuple[Player, str] | None:
    """Who said it, and a short text for it; None for what the sheet leaves out. cube: its value now."""
    match action:
        case Doubled(player=player):
            return player, say("doubles_to", value=cube * 2)
        case Beavered(player=player):
            return player, say("beavers_to", value=cube * 2)
        case Took(player=player):
            return player, say("takes_cell")
        case Passed(player=player):
            return player, say("passes_cell")
        case OfferedResignation(player=player, win=win):
            return player, say("resigns_win", win=say(WINS[win]))
        case AcceptedResignation(player=player):
            return player, say("accepts_cell")
        case RefusedResignation(player=player):
            return player, say("refuses_cell")
        case EditedBoard(on_roll=on_roll):
            return on_roll, say("board_set_up_cell")
    return None


def half_turn_text(turn: HalfTurn, speech: Speech = Speech.PLAIN) -> str:
    """One half-turn: `31: 8/5 6/5`; in old words `trois-ace: one man from ...`."""
    marks = f"{'' if turn.legal else ' !'}{f' {UNSEEN_MARK}' * turn.unseen}"
    return f"{_roll_text(turn, speech)}: {play_made(turn, speech)}{marks}"


def _roll_text(turn: HalfTurn, speech: Speech) -> str:
    if turn.dice is None:
        return "??"
    roll = call(turn.dice, speech) if speech is Speech.OLD else str(turn.dice)
    return roll + "?" * turn.dice_inferred


def _length_text(length: int) -> str:
    return say("length_of_match", length=length) if length else say("money_session")
