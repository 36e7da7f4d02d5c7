"""What holds on every position, reached or imagined."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.record.match_record import GameRecord, MatchRecord
from controller.rules import (
    N_CHECKERS,
    Dice,
    EditedBoard,
    Game,
    GamePhase,
    Moved,
    Player,
    Position,
    Situation,
    Step,
    draw_diagram,
    explain,
    legal_plays,
    match_id,
    notation,
    parse_diagram,
    parse_match_id,
    parse_play,
    parse_position_id,
    parse_steps,
    parse_xgid,
    position_id,
    shots,
    xgid,
)
from controller.rules.plays.packed_steps import after_each_step, pack, single_steps
from tests.benchmarks.plain import plain_plays
from tests.controller.record.match_forms import MAT, SGF

W = Player.WHITE


@st.composite
def positions(draw_from):
    """Any way in which two sides of 15 can stand, none on a point with the other."""
    white, black = [0] * 26, [0] * 26
    for place in draw_from(st.lists(st.integers(0, 25), min_size=15, max_size=15)):
        white[place] += 1
    free = [place for place in range(26) if place in (0, 25) or not white[25 - place]]
    for place in draw_from(st.lists(st.sampled_from(free), min_size=15, max_size=15)):
        black[place] += 1
    if white[0] == 15 or black[0] == 15:
        return Position.START
    return Position(tuple(white), tuple(black))


players = st.sampled_from(Player)
rolls = st.builds(Dice, st.integers(1, 6), st.integers(1, 6))


@given(positions(), players, rolls)
@settings(max_examples=400, deadline=None)
def test_checkers_are_conserved_and_only_those_hit_go_back(position, player, dice):
    for play in legal_plays(position, player, dice):
        assert play.result.problems() == ()
        assert sum(play.result.side(player)) == sum(play.result.side(player.opponent)) == 15
        hits = sum(step.hit for step in play.steps)
        bar = play.result.side(player.opponent)[25] - position.side(player.opponent)[25]
        assert bar == hits


@given(positions(), players, rolls)
@settings(max_examples=400, deadline=None)
def test_colours_make_no_difference(position, player, dice):
    here = {play.result.mirrored() for play in legal_plays(position, player, dice)}
    there = {play.result for play in legal_plays(position.mirrored(), player.opponent, dice)}
    assert here == there


@given(positions(), rolls)
@settings(max_examples=400, deadline=None)
def test_plays_are_those_that_plain_recursion_finds(position, dice):
    plain = {Position(*sides) for sides in plain_plays(position.white, position.black, (dice.high, dice.low))}
    found = {play.result for play in legal_plays(position, W, dice)}
    last_checker = sum(position.white[1:]) == 1
    assert found == plain or (last_checker and found > plain)


@given(positions(), players, st.integers(1, 6))
@settings(max_examples=400, deadline=None)
def test_single_steps_are_found_alike_by_masks_and_by_counts(position, player, number):
    packed = pack(position, player)
    assert [after for _, after in single_steps(packed, number)] == after_each_step(packed, number)


@given(positions(), players, rolls)
@settings(max_examples=200, deadline=None)
def test_no_legal_play_is_shorter_than_the_longest_unless_it_ends_the_game(position, player, dice):
    plays = list(legal_plays(position, player, dice))
    longest = max(len(play.steps) for play in plays)
    assert all(len(play.steps) == longest or play.result.winner is player for play in plays)


@given(positions(), players, rolls)
@settings(max_examples=200, deadline=None)
def test_a_play_written_is_read_as_the_same_play(position, player, dice):
    for play in list(legal_plays(position, player, dice))[:10]:
        read, legal = parse_play(str(play), position, player, dice)
        assert legal
        assert read.result == play.result


@given(st.integers(1, 25), st.integers(0, 25), st.integers(1, N_CHECKERS))
@settings(deadline=None)
def test_equal_steps_are_written_so_that_they_are_read_again(source, target, count):
    steps = (Step(source, target),) * count
    assert parse_steps(notation(steps)) == steps


@given(positions(), players)
@settings(max_examples=50, deadline=None)
def test_a_roll_that_hits_a_blot_has_a_play_that_does(position, player):
    found = shots(position, player)
    for point, hitting in found.rolls.items():
        for dice in Dice.rolls():
            plays = legal_plays(position, player.opponent, dice)
            hits = any(play.result.side(player)[point] == 0 for play in plays)
            assert hits == (dice in hitting)


@given(positions(), positions(), players, rolls)
@settings(max_examples=100, deadline=None)
def test_any_board_is_legal_or_explained(position, seen, player, dice):
    assert bool(explain(position, player, dice, seen)) == (seen not in legal_plays(position, player, dice))


@given(
    positions(),
    players,
    st.one_of(st.none(), rolls),
    st.integers(0, 25),
    st.tuples(st.integers(0, 25), st.integers(0, 25)),
    st.booleans(),
)
@settings(deadline=None)
def test_ids_and_drawing_give_the_situation_back(position, on_roll, dice, length, score, jacoby):
    situation = Situation(
        position=position,
        on_roll=on_roll,
        dice=dice,
        length=length,
        score=score,
        jacoby=jacoby and not length,
    )
    assert parse_xgid(xgid(situation)) == situation
    assert parse_position_id(position_id(position, on_roll), on_roll) == position
    assert parse_match_id(match_id(situation), position, on_roll) == situation
    assert parse_diagram(draw_diagram(position)) == position


@given(positions(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_game_exported_is_imported_as_it_was(position, chance):
    game = Game.replay([EditedBoard(position=position, on_roll=W)] if chance.random() < 0.5 else [])
    for _ in range(30):
        actions = list(game.legal_actions())
        if game.phase is GamePhase.OVER:
            break
        plays = [action for action in actions if isinstance(action, Moved)]
        game = game.push(chance.choice(plays or actions))
    record = MatchRecord(length=7, games=(GameRecord(actions=game.actions),))
    for form in (MAT, SGF):
        read = form.parse(form.format(record))
        again = read.record.games[0].played()
        assert again.position == game.position
        assert again.outcome == game.outcome
        assert again.cube == game.cube
