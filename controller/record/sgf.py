"""Smart Game Format for backgammon (`.sgf`), as GNU Backgammon saves and loads it: one tree a game.

    text = format_sgf(record)
    record, problems = parse_sgf(text).record, parse_sgf(text).problems

White is W, GNU Backgammon's player 0. Points are absolute, a to x White's 1 to 24, y the bar, z off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date as Date

from controller.record import unwritten
from controller.record.file_reading import GameBeingRead
from controller.record.irregular_text import plain_steps
from controller.record.match_record import (
    MOST_ACTIONS,
    MOST_NODES,
    GameRecord,
    MatchFileError,
    MatchRecord,
    ParsedMatch,
    Problem,
    ProblemList,
)
from controller.record.sgf_syntax import Node, escape_value, parse_trees
from controller.record.unwritten import RefusedOffer
from controller.record.variations import laws_in, sgf_names
from controller.rules import (
    Action,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    Ending,
    Game,
    GamePhase,
    Match,
    Moved,
    MovedIrregularly,
    Passed,
    Player,
    Position,
    Step,
    Took,
)
from controller.rules.board.position import BAR, N_CHECKERS, OFF
from sentences import say

_LETTER_OF_PLAYER = {Player.WHITE: "W", Player.BLACK: "B"}
_PLAYER_OF_LETTER = {letter: player for player, letter in _LETTER_OF_PLAYER.items()}
_ABSOLUTE_BAR, _ABSOLUTE_OFF, _WHOLE_BOARD = "y", "z", "a:y"


def format_sgf(record: MatchRecord) -> str:
    """The match as text. Raises IllegalAction when its actions do not form a game,
    MatchFileError when a name cannot be written."""
    record.require_text()
    record = replace(record, games=tuple(game.as_it_stood() for game in record.games))
    return "".join(_tree(record, number, game) for number, game in enumerate(record.games))


def _tree(record: MatchRecord, number: int, game: GameRecord) -> str:
    nodes = [_root(record, number, game), *_game_nodes(game)]
    return "(" + "\n".join(f";{node}" for node in nodes) + ")\n"


def _root(record: MatchRecord, number: int, game: GameRecord) -> str:
    white, black = game.score
    played = game.played()
    of_match = {
        "DT": record.date.isoformat() if record.date else "",
        "EV": record.event,
        "RO": record.round,
        "PC": record.site,
        "AN": record.transcriber,
        "GC": unwritten.chouette_text(record),
    }
    texts = {"PW": record.white, "PB": record.black, **(of_match if number == 0 else {})}
    texts |= {"RR": " ".join(map(str, unwritten.refused_offers(game))), "RU": _rules(record, game)}
    cube = unwritten.cube_at_first_roll(game)
    texts |= {"CV": str(cube.value) if cube.value > 1 else "", "RE": _result(played)}
    texts |= {"CP": _LETTER_OF_PLAYER[cube.owner].lower()} if cube.owner else {}
    properties = "".join(f"{key}[{escape_value(text)}]" for key, text in texts.items() if text)
    info = f"MI[length:{record.length}][game:{number}][ws:{white}][bs:{black}]"
    return f"FF[4]GM[6]CA[UTF-8]AP[Blotlight]{info}{properties}"


def _rules(record: MatchRecord, game: GameRecord) -> str:
    crawford = record.crawford and record.length > 0
    crawford_game = crawford and record.stakes.cube and not game.stakes.cube
    in_force = {
        "NoCube": not (record.stakes.cube and record.laws.has_cube),
        "Crawford": crawford,
        "CrawfordGame": crawford_game or (crawford and _is_crawford_score(record, game)),
        "Jacoby": game.stakes.jacoby,
        "Beavers": game.stakes.beavers,
        **dict.fromkeys(sgf_names(game.laws), True),
    }
    return ":".join(name for name, holds in in_force.items() if holds)


def _is_crawford_score(record: MatchRecord, game: GameRecord) -> bool:
    """Whether the score makes this the Crawford game, also in a match that has no cube at all."""
    before = [other.score for other in record.games[: record.games.index(game)]]
    short = record.length - 1
    return max(game.score) == short > 0 and all(max(score) < short for score in before)


def _result(played: Game) -> str:
    outcome = played.outcome
    if outcome is None:
        return ""
    resigned = "R" if outcome.ending is Ending.RESIGNED else ""
    return f"{_LETTER_OF_PLAYER[outcome.winner]}+{outcome.points}{resigned}"


def _game_nodes(record: GameRecord) -> Iterator[str]:
    game = record.begun()
    for action in record.actions:
        yield from _action_nodes(game, action)
        game = game.push(action)
    if game.dice and game.turn:
        yield _roll_node(game)


def _action_nodes(before: Game, action: Action) -> list[str]:
    match action:
        case Moved(player=player, steps=steps):
            return [f"{_LETTER_OF_PLAYER[player]}[{before.dice}{_letters(player, steps)}]"]
        case MovedIrregularly(player=player, result=result):
            steps = plain_steps(before.position, action)
            if steps:
                return [f"{_LETTER_OF_PLAYER[player]}[{before.dice}{_letters(player, steps)}]"]
            return [_roll_node(before), _board_node(result, player.opponent)]
        case Doubled(player=player) | Beavered(player=player):
            return [f"{_LETTER_OF_PLAYER[player]}[double]"]
        case Took(player=player):
            return [f"{_LETTER_OF_PLAYER[player]}[take]"]
        case Passed(player=player):
            return [f"{_LETTER_OF_PLAYER[player]}[drop]"]
        case EditedBoard(position=position, on_roll=on_roll):
            return [_board_node(position, on_roll)]
    return []


def _roll_node(game: Game) -> str:
    assert game.turn is not None
    return f"PL[{_LETTER_OF_PLAYER[game.turn]}]DI[{game.dice}]"


def _board_node(position: Position, on_roll: Player) -> str:
    stones = {
        f"A{_LETTER_OF_PLAYER[player]}": "".join(
            f"[{_letter(player, place)}]" * n for place, n in enumerate(position.side(player)) if place != OFF
        )
        for player in Player
    }
    return f"PL[{_LETTER_OF_PLAYER[on_roll]}]AE[{_WHOLE_BOARD}]" + "".join(
        key + points for key, points in stones.items() if points
    )


def _letters(player: Player, steps: tuple[Step, ...]) -> str:
    return "".join(_letter(player, step.source) + _letter(player, step.target) for step in steps)


def _letter(player: Player, place: int) -> str:
    """The letter of the place that `player` calls `place`."""
    if place == BAR:
        return _ABSOLUTE_BAR
    if place == OFF:
        return _ABSOLUTE_OFF
    return chr(ord("a") - 1 + (place if player is Player.WHITE else BAR - place))


_PLACES = {player: {_letter(player, place): place for place in range(BAR + 1)} for player in Player}


def _place_of_letter(player: Player, letter: str) -> int:
    """The place of `player` with this letter. Raises ValueError when there is none."""
    if letter not in _PLACES[player]:
        raise ValueError(say("no_place_in_sgf", letter=letter))
    return _PLACES[player][letter]


def parse_sgf(text: str) -> ParsedMatch:
    """The match in `text`, with every problem found; parsing goes on after each.

    A play that is not legal becomes MovedIrregularly. Raises MatchFileError when the text is no SGF, or SGF
    of another game.
    """
    all_nodes = parse_trees(text)
    for nodes in all_nodes:
        if nodes and nodes[0].first("GM") not in (None, "6"):
            raise MatchFileError(say("no_backgammon_in_sgf", line=nodes[0].line))
    problems = ProblemList()
    record = _parse_match_properties(all_nodes[0][0], problems) if all_nodes[0] else MatchRecord()
    match = record.begun()
    games = []
    for nodes in all_nodes:
        if not nodes:
            continue
        being_read = _parse_game(nodes, match, problems)
        games.append(being_read.record())
        if being_read.game.phase is GamePhase.OVER:
            match = match.after_game(being_read.game)
    return ParsedMatch(replace(record, games=tuple(games)), tuple(problems))


def _parse_match_properties(root: Node, problems: list[Problem]) -> MatchRecord:
    rules = (root.first("RU") or "").split(":")
    length = _parse_info(root, problems).get("length", 0)
    plain = MatchRecord()
    stakes = replace(plain.stakes, jacoby="Jacoby" in rules, beavers="Beavers" in rules)
    return MatchRecord(
        white=root.first("PW") or plain.white,
        black=root.first("PB") or plain.black,
        length=length,
        crawford=not length or "Crawford" in rules,
        stakes=replace(stakes, cube="NoCube" not in rules),
        laws=laws_in(rules),
        date=_parse_date(root, problems),
        event=root.first("EV") or "",
        round=root.first("RO") or "",
        site=root.first("PC") or "",
        transcriber=root.first("AN") or "",
        chouette=unwritten.parse_chouette(root.first("GC"), root.line, problems),
    )


def _parse_date(root: Node, problems: list[Problem]) -> Date | None:
    text = root.first("DT")
    try:
        return Date.fromisoformat(text) if text else None
    except ValueError:
        problems.append(Problem(root.line, say("no_date_in_sgf", text=text)))
        return None


def _parse_info(root: Node, problems: list[Problem]) -> dict[str, int]:
    """The numbers of the property MI: length, game, ws, bs."""
    found = {}
    for value in root.properties.get("MI", ()):
        key, _, number = value.partition(":")
        if number.isascii() and number.isdigit() and len(number) <= 5:
            found[key] = int(number)
        else:
            problems.append(Problem(root.line, say("no_number_in_sgf", text=value[:40])))
    return found


def _parse_game(nodes: list[Node], match: Match, problems: list[Problem]) -> GameBeingRead:
    root, *rest = nodes
    info = _parse_info(root, [])
    score = info.get("ws", 0), info.get("bs", 0)
    if match.games and score != match.score:
        given, due = ("-".join(map(str, pair)) for pair in (score, match.score))
        problems.append(Problem(root.line, say("score_differs", given=given, due=due)))
    being_read = GameBeingRead(match.with_score(*score), problems)
    being_read.line = root.line
    for word in (root.first("RR") or "").split()[:MOST_ACTIONS]:
        try:
            being_read.refused.append(RefusedOffer.parse(word))
        except ValueError:
            being_read.problem(say("no_refusal_in_sgf", text=word[:20]))
    cube = root.first("CV")
    if cube is not None:
        owner = _PLAYER_OF_LETTER.get((root.first("CP") or "").upper())
        being_read.cube_shows_at_first(cube, owner)
    following = zip(rest, [*rest[1:], None], _next_movers(rest), strict=False)
    for number, (node, after, next_mover) in enumerate(following):
        being_read.line = node.line
        if len(being_read.game.actions) >= MOST_ACTIONS or number >= MOST_NODES:
            being_read.problem(say("too_many_actions", most=MOST_ACTIONS))
            break
        _take_node(being_read, node, after, next_mover)
    _take_result(being_read, root)
    return being_read


def _next_movers(nodes: list[Node]) -> list[Player | None]:
    """For each node, the player who acts next after it."""
    found: list[Player | None] = []
    mover = None
    for node in reversed(nodes):
        found.append(mover)
        mover = _mover(node) or mover
    return found[::-1]


def _take_node(game: GameBeingRead, node: Node, after: Node | None, next_mover: Player | None) -> None:
    for letter, player in _PLAYER_OF_LETTER.items():
        text = node.first(letter)
        if text is not None:
            _take_action(game, player, text)
    dice = node.first("DI")
    if dice is not None and not _stands_for_edited_board(game, dice, after):
        _take_roll(game, _PLAYER_OF_LETTER.get(node.first("PL") or ""), dice)
    if node.properties.keys() & {"AE", "AW", "AB"}:
        _take_board(game, node, next_mover)


def _stands_for_edited_board(game: GameBeingRead, dice: str, after: Node | None) -> bool:
    """Whether the roll is a double before the first turn, written only before a board set up by hand."""
    is_double = dice[:1] == dice[1:]
    return (
        game.game.phase is GamePhase.OPENING and is_double and after is not None and "AE" in after.properties
    )


def _take_action(game: GameBeingRead, player: Player, text: str) -> None:
    word = text.lower()
    if word == "double":
        game.double(player)
    elif word == "take":
        game.take(player)
    elif word == "drop":
        game.drop(player)
    else:
        _take_play(game, player, text)


def _take_play(game: GameBeingRead, player: Player, text: str) -> None:
    try:
        dice = Dice.parse(text[:2])
        ends = [_place_of_letter(player, letter) for letter in text[2:]]
        if len(ends) % 2:
            raise ValueError(say("place_without_pair", text=text[2:]))
    except ValueError as error:
        game.problem(say("text_and_problem", text=text[:20], problem=error))
        return
    if game.roll(player, dice):
        game.play(player, tuple(Step(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)))


def _take_roll(game: GameBeingRead, player: Player | None, text: str) -> None:
    who = player or game.game.turn
    try:
        dice = Dice.parse(text)
    except ValueError as error:
        game.problem(str(error))
        return
    if who is None:
        game.problem(say("roll_of_nobody", dice=dice))
    else:
        game.roll(who, dice)


def _take_board(game: GameBeingRead, node: Node, next_mover: Player | None) -> None:
    try:
        board = _edited_position(game.game.position, node)
    except ValueError as error:
        game.problem(say("edited_board_wrong", problem=error))
        return
    turn = game.game.turn
    if game.game.phase is GamePhase.TO_MOVE and turn is not None:
        game.stood(turn, board)
        return
    on_roll = next_mover or _PLAYER_OF_LETTER.get(node.first("PL") or "")
    game.edited(board, on_roll or turn or Player.WHITE)


def _mover(node: Node) -> Player | None:
    acting = [player for letter, player in _PLAYER_OF_LETTER.items() if letter in node.properties]
    if not acting and "DI" in node.properties:
        return _PLAYER_OF_LETTER.get(node.first("PL") or "")
    return acting[0] if acting else None


def _edited_position(position: Position, node: Node) -> Position:
    """`position` with places emptied (AE, single or as a range) and checkers added (AW, AB)."""
    sides = {player: list(position.side(player)) for player in Player}
    for value in dict.fromkeys(node.properties.get("AE", ())):
        if value == _WHOLE_BOARD:
            sides = {player: [0] * (BAR + 1) for player in Player}
            continue
        first, _, last = value.partition(":")
        for code in range(ord(first[:1] or "?"), ord(last[:1] or first[:1] or "?") + 1):
            for player, side in sides.items():
                side[_place_of_letter(player, chr(code))] = 0
    for player, side in sides.items():
        for value in node.properties.get(f"A{_LETTER_OF_PLAYER[player]}", ()):
            side[_place_of_letter(player, value)] += 1
        side[OFF] = max(N_CHECKERS - sum(side[1:]), 0)
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def _take_result(game: GameBeingRead, root: Node) -> None:
    text = root.first("RE")
    if not text:
        return
    game.line = root.line
    winner, points = _PLAYER_OF_LETTER.get(text[0]), text[1:].removeprefix("+").removesuffix("R")
    if winner is None or not (points.isascii() and points.isdigit() and len(points) < 9):
        game.problem(say("no_result_in_sgf", text=text[:20]))
        return
    game.won(winner, int(points))
