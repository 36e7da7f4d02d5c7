"""Every tuned number of the referee: what it means, its unit, and where it comes from.

Priors and scores are natural logarithms (nats). They are added up. A history that is 3 nats ahead of another
is twenty times likelier. Sources: "measured" says on what. "law" is a rule of the game. "guess" was chosen by
hand, and no measurement of it is on record.
"""

import math

# -- Histories: how many are kept, and when one is sure

KEEP_WITHIN_NATS = 16.0
"""A history this far behind the likeliest is dropped. Nats; guess."""

KEEP_MOST = 600
"""Histories that are kept at most. Count; guess."""

KEEP_MOST_OF_WIDE = 100
"""Of a doublet that may be played in tens of thousands of ways. Each takes time to write. Count; guess."""

FOLLOW_WITHIN_NATS = 8.0
"""Where a search is wide, only what is this close to the best is followed. Nats; guess."""

MOST_FOLLOWED = 8
"""Where a search is wide, so many histories or boards are followed at most. Count; guess."""

MOST_UNSEEN_PLAYS = 24
"""Plays that nobody saw which are continued by the opponent's roll. Count; guess."""

RECORD_LEAD_NATS = 3.0
"""The last half-turn is recorded, and a game is won, when the best board leads by this. Nats; guess."""

UNSURE_WITHIN_NATS = 2.0
"""The referee is unsure, and asks, while the likeliest board leads the next one by less. Nats; guess."""

# -- Readings of places

PLACE_FLOOR_NATS = -9.0
"""No place counts for more against a board: of 1,000 readings one is wrong, in ten ways. Nats; guess."""

TALL_STACK = 5
"""From so many checkers on a point on some lie on others, or may. Count; law: a point holds a row of five."""

STACK_FLOOR_NATS = math.log(0.02 / 10)
"""The same of more checkers on a tall stack than it is told to hold: of 100 counts two are wrong, in ten
ways, and of 103 wrong counts of photoreal stacks six were too high. Nats; guess."""

CONTRADICTION_NATS = 3.0
"""Two readings of a place contradict when each is this much against the other's best. Nats; guess."""

OTHERWISE_NATS = 0.5
"""They are not averaged when each is this much against the other's best. Nats; guess."""

DOUBTFUL_COUNT_NATS = 4.0
"""A count this little behind the likeliest is possible when checkers do not add up. Nats; guess."""

MOST_READINGS_AVERAGED = 4
"""Readings that a place's average counts; later ones replace earlier ones gradually. Count; guess."""

LIFTED_EARLY = 0.02
"""How likely a player lifts his dice before he has played. Probability; guess."""

KNOCKED = 0.002
"""How often a checker is knocked to the floor or to the next point after a play. Probability; guess."""

PLACES_OF_A_CHECKER = 2
"""Places at most that a knocked checker makes look otherwise. Count; law: it leaves one and comes to one."""

PLAY_TAKES_MS = 1500.0
"""How long a checker takes to be played; an older reading says little of where a play ended. ms; guess."""

RESTS_HALF_MADE = 0.1
"""How often a board during a play shows it half made; else not begun or complete. Probability; guess."""

HALF_TURN_TAKES_MS = 5000.0
"""How long a half-turn takes from one player's lifting his dice to the other's, on average. ms; guess."""

PARTS_OF_A_HALF_TURN = 3
"""Throw, thought and play, as long on average each, so that the sum is Erlang's. Count; guess."""

LEAST_HASTE = 1e-3
"""How often a half-turn seems to take no time: the last was over sooner than heard. Probability; guess."""

# -- The reader's state at each place

ALIKE_READING_SHARE = 0.1
"""A place looks as before if its reading moved by less (total variation). Probability; measured: of 21,780
untouched places of eight photoreal games 99.1 % moved less, of 661 played ones 0.5 %."""

UNLIKE_READING_SHARE = 0.3
"""A place looks otherwise if its reading moved by more. Probability; measured: on the same, 0.7 % of
the untouched places and 0.3 % of the played ones moved by something between, of tall stacks 21 % and 22 %."""

CHANGED_BUT_ALIKE = 0.005
"""How often a place that was played on looks exactly as before. Probability; measured: 0 of 313 places that
held fewer than TALL_STACK before or after, rendered, and 3 of 661 played ones, photoreal."""

STACK_CHANGED_BUT_ALIKE = 0.028
"""The same of a tall stack that remains one. Probability; measured: 120 of 1,409 to which one checker came or
from which one went, rendered; divided by how well each was read before, this number explains 119."""

UNTOUCHED_BUT_DIFFERENT = 0.06
"""How often a place that nobody touched looks otherwise. Probability; measured: 18 of 468 of the same."""

P_MISREADING_ENDS = 0.3
"""How often a place that was misread looks otherwise when seen again, untouched. Probability; measured: 4 of
14 in five photoreal games."""

BOTH_TAKEN_FOR_ONE = 0.2
"""How often two colours on a point are not seen to be two. Probability; measured: 3 of 17, rendered."""

BOTH_COUNTED_AS_ONE = 0.8
"""How often all of them are told as one colour then; else the greater number alone. Probability; measured: 3
of 3, rendered; that is four in five by the rule of succession."""

P_GETS_STUCK = 1e-3
"""How often the reading of a place gets stuck on what it says. Probability; guess."""

P_ONE_LOOK = 1 / 31
"""How likely it says one particular content then. Probability; law: a point may hold 31 contents."""

P_ERRS_AGAIN = 0.5
"""How often a place that was misread, and now looks otherwise, is misread anew. Probability; guess."""

P_ONE_OFF = 0.8
"""How often it then reads as one checker too many or too few. Probability; guess."""

STUCK_FROM = 0.5
"""From here on a place is left out when the board is taken as it reads. Probability; guess."""

MAY_BE_STUCK_FROM = 0.1
"""From here on a checker may have been put on a place although that looks the same. Probability; guess."""

P_COMES_LOOSE = 0.05
"""How often a stuck reading comes loose in a half-turn. Probability; guess."""

# -- Irregular plays

IRREGULAR_PLAY_NATS = math.log(0.01 / 8)
"""Prior of one irregular play per legal one: one play in a hundred goes wrong, in eight ways. Nats; guess."""

PARTIAL_PLAY_NATS = math.log(0.01 / 3)
"""Prior of a play with a part missing: one in three irregular plays. All parts share it. Nats; guess."""

N_PLAYS_OF_ROLL = 12
"""Legal plays that a roll usually has. Count; guess."""

MOST_NUMBERS = 4
"""Numbers that one roll gives at most. Count; law: a double is played four times."""

STRAY_CHECKER_NATS = -6.0
"""Added for each checker that appears or vanishes as no play makes it. Nats; guess."""

RARE_OFFENCE_NATS = -3.0
"""Added for each offence that hardly anybody commits. Nats; guess."""

FURTHER_OFFENCE_NATS = -4.0
"""Added for each offence more than one that it takes to explain the board. Nats; guess."""

UNRELATED_BOARD_NATS = -25.0
"""Prior of a board that has nothing to do with the record, however much it takes to explain. Nats; guess."""

BEARING_HABIT_LIMIT_NATS = 3.0
"""However a player bore off before, he may do otherwise once in twenty times. Log-odds in nats; guess."""

# -- Rolls

LEAST_MISREPORTED = 1e-6
"""Dice are misreported, in one particular way, at least so often. Probability; guess."""

ROLL_MISSED_NATS = math.log(0.02)
"""Prior of a roll that the dice sensor did not report: one in fifty. Nats; guess."""

ROLL_SEEN_IN_PICTURES_NATS = math.log(0.5)
"""Prior of dice having been played that pictures show though the sensor reported no roll. Nats; guess."""

ROLL_REPLACED_NATS = -4.0
"""Prior of a roll being thrown over: dice jostled, thrown too early, or leaning unseen. Nats; guess."""

ROLL_NOT_COUNTED_NATS = math.log(0.5)
"""Prior of a roll of which one die was reported being thrown again: the other fell off. Nats; guess."""

OPENING_THROWN_OVER_NATS = math.log(0.5)
"""Prior of an opening throw not being played where the laws let both dice be thrown instead. Nats; guess."""

OPENING_TIE_NATS = math.log(6 / 30)
"""An opening throw being a tie. Log-odds in nats; law: six of 36 throws are, and they are void."""

CLOSED_OUT_NOT_THROWN_NATS = math.log(0.5)
"""Prior of a closed-out player not throwing where he need not. Nats; guess."""

THROWN_WHILE_SUSPENDED_NATS = math.log(0.02)
"""Prior of his throwing all the same where the laws suspend his play. Nats; guess."""

PICTURE_SHOWS_ROLL_NATS = math.log(0.8)
"""Log-likelihood of pictures showing the roll that lies there. Nats; measured: 63 of 78 throws on boards of
kinds not taught, seen in one or two pictures."""

PICTURE_ONE_DIE_OFF_NATS = math.log(0.19 / 10)
"""Log-likelihood of pictures showing one particular roll with one other face. Nats; measured: 15 of 78."""

PICTURE_OTHER_ROLL_NATS = math.log(0.01 / 10)
"""Log-likelihood of pictures showing one particular other roll. Nats; measured: none of the 78, taken
as one in a hundred for all of them together."""

PICTURES_TO_TRUST = 3
"""Pictures that must show the same roll before it is trusted more. Count; guess."""

TRUSTED_PICTURES_NATS = math.log(0.025 / 0.19)
"""Added to the other rolls then: all pictures of a throw may err alike. Nats; measured: 13 of 527 throws."""

# -- Boards that no history explains

UNEXPLAINED_NATS = -6.0
"""Missed and misreported rolls are considered where the best history explains a board worse. Nats; guess."""

BOARD_UPSET_NATS = -18.0
"""Prior of the board being upset, whatever lies there then. Nats; guess."""

RECORD_ASTRAY_NATS = -14.0
"""Prior of the record having gone astray by one half-turn. Nats; guess."""

UNLIKE_ANY_ROLL_NATS = -3.0
"""Added for each checker moved in an irregular play without dice: one roll in twenty fits. Nats; guess."""

# -- What players are shown

OFFENCE_LEAD_NATS = math.log(3)
"""A board is called illegal when it is so much likelier than all others: three to one. Nats; guess."""

NOT_FURNISHED_NATS = -5.0
"""A place is not set up right when what belongs there is less likely. Nats; guess."""

BOARD_FITS_NATS = -8.0
"""A board fits what is seen unless it fits worse than this: nearly one place. Nats; guess."""

MOST_MEN_OMITTED = 2
"""A board that lacks more men is still being furnished when dice are reported. Count; guess."""

# --- Words of people

MOST_WORDS = 20
"""How many words of people can be undone, one after the other. Count; guess."""
