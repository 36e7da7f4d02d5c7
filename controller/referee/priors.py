"""Every tuned number of the referee: what it means, its unit, and where it comes from.

Priors and scores are natural logarithms (nats) and are added up. A history that is 3 nats ahead of another is
twenty times as likely. Sources: "measured" says on what, "law" is a rule of the game, "guess" was chosen by
hand and has no measurement on record.
"""

import math

# -- Histories: how many are kept, and when one is sure

KEEP_WITHIN_NATS = 16.0
"""A history this far behind the likeliest is dropped. Nats; guess."""

KEEP_MOST = 300
"""Most histories that are kept. Count; guess."""

KEEP_MOST_OF_WIDE = 100
"""Most histories kept after a doublet with tens of thousands of plays, as each takes time. Count; guess."""

FOLLOW_WITHIN_NATS = 8.0
"""A wide search follows only what is this close to the best. Nats; guess."""

MOST_FOLLOWED = 8
"""Most histories or boards that a wide search follows. Count; guess."""

MOST_UNSEEN_PLAYS = 12
"""Most unseen plays of a history that are continued by the opponent's roll. Count; guess."""

RECORD_LEAD_NATS = 3.0
"""The last half-turn is recorded, or a game is won, once the likeliest board leads by this. Nats; guess."""

KNOWN_LEAD_NATS = 7.0
"""A board is known, and the reader learns from it, if it leads every other by this: a thousand to
one. Nats; guess."""

UNSURE_WITHIN_NATS = 2.0
"""The referee is unsure, and asks, while the likeliest board leads by less. Nats; guess."""

# -- Readings of places

PLACE_FLOOR_NATS = -9.0
"""Lowest log-likelihood of one place: one reading in 1,000 is wrong, in ten ways. Nats; guess."""

TALL_STACK = 5
"""From this many checkers on a point on, some may lie on others. Count; law: a point holds a row of five."""

STACK_FLOOR_NATS = math.log(0.02 / 10)
"""The same for more checkers on a tall stack than are read there: of 100 counts two are wrong, in ten ways,
and of 103 wrong counts of photoreal stacks six were too high. Nats; guess."""

CONTRADICTION_NATS = 3.0
"""Two readings of a place contradict when each puts the other's best this far below its own. Nats; guess."""

OTHERWISE_NATS = 0.5
"""Two readings are not averaged when each puts the other's best this far below its own. Nats; guess."""

DOUBTFUL_COUNT_NATS = 4.0
"""A count this close to the likeliest is possible when checkers do not add up. Nats; guess."""

MOST_READINGS_AVERAGED = 4
"""Most readings in a place's average; later ones replace earlier ones gradually. Count; guess."""

LIFTED_EARLY = 0.02
"""How often a player lifts his dice before he has played. Probability; guess."""

KNOCKED = 0.002
"""How often a checker is knocked to the floor or to the next point after a play. Probability; guess."""

PLAY_TAKES_MS = 1500.0
"""Time to play a checker; a reading older than that says little about how a play ended. ms; guess."""

RESTS_HALF_MADE = 0.1
"""How often the board during a play shows it half made; else not begun or complete. Probability; guess."""

HALF_TURN_TAKES_MS = 5000.0
"""Mean time of a half-turn, from one player lifting his dice to the other lifting his. ms; guess."""

PARTS_OF_A_HALF_TURN = 3
"""Throw, thought and play, equally long on average: their sum has Erlang's distribution. Count; guess."""

LEAST_HASTE = 1e-3
"""Least likelihood of a half-turn in a short pause: the last one may have been heard
late. Probability; guess."""

# -- The reader's state at each place

ALIKE_READING_SHARE = 0.1
"""A place looks as before if its reading moved by less (total variation). Probability; measured: of 21,780
untouched places of eight photoreal games 99.1 % moved less, of 661 played ones 0.5 %."""

UNLIKE_READING_SHARE = 0.3
"""A place looks different if its reading moved by more. Probability; measured: of the same places, 0.7 % of
the untouched and 0.3 % of the played ones moved by an amount in between, of tall stacks 21 % and 22 %."""

CHANGED_BUT_ALIKE = 0.005
"""How often a place that was played on looks exactly as before. Probability; measured: 0 of 313 rendered
places that held fewer than TALL_STACK before or after, and 3 of 661 played ones, photoreal."""

STACK_CHANGED_BUT_ALIKE = 0.028
"""The same for a tall stack that remains one. Probability; measured: 120 of 1,409 rendered ones that gained
or lost a checker; divided by how well each was read before, this number explains 119."""

UNTOUCHED_BUT_DIFFERENT = 0.06
"""How often an untouched place looks different. Probability; measured: 18 of 468 stacks, photoreal."""

P_MISREADING_ENDS = 0.3
"""How often a misread place that nobody touched looks different when seen again. Probability; measured: 4 of
14 in five photoreal games."""

BOTH_TAKEN_FOR_ONE = 0.2
"""How often a point with both colours is read as one colour. Probability; measured: 3 of 17, rendered."""

BOTH_COUNTED_AS_ONE = 0.8
"""How often all its checkers then count as that colour; else the greater number
alone. Probability; measured: 3 of 3, rendered; that is four in five by the rule of succession."""

P_GETS_STUCK = 1e-3
"""How often the reading of a place gets stuck on its content. Probability; guess."""

P_ONE_LOOK = 1 / 31
"""How likely a stuck reading says one particular content. Probability; law: a point may hold 31 contents."""

P_ERRS_AGAIN = 0.5
"""How often a misread place is misread again when it looks different. Probability; guess."""

P_ONE_OFF = 0.8
"""How often a misread place reads one checker too many or too few. Probability; guess."""

STUCK_FROM = 0.5
"""A place this likely to be stuck is left out when the board is taken as it reads. Probability; guess."""

MAY_BE_STUCK_FROM = 0.1
"""A place this likely to be stuck may hold a new checker though it looks the same. Probability; guess."""

P_COMES_LOOSE = 0.05
"""How often a stuck reading comes loose from one view weighed for good to the next. Probability; guess."""

# -- Irregular plays

IRREGULAR_PLAY_NATS = math.log(0.01 / 8)
"""Prior of an irregular play, before division by the number of legal plays: one play in a hundred goes wrong,
in eight ways for each legal one. Nats; guess."""

PARTIAL_PLAY_NATS = math.log(0.01 / 3)
"""Prior of a play with a part left out: one irregular play in three. All parts share it. Nats; guess."""

N_PLAYS_OF_ROLL = 12
"""Usual number of legal plays of a roll. Count; guess."""

MOST_NUMBERS = 4
"""Most numbers that one roll gives. Count; law: a double is played four times."""

STRAY_CHECKER_NATS = -6.0
"""Added for each checker that appears or vanishes in a way that no play explains. Nats; guess."""

RARE_OFFENCE_NATS = -3.0
"""Added for each offence that players hardly ever commit. Nats; guess."""

FURTHER_OFFENCE_NATS = -4.0
"""Added for each offence after the first that it takes to explain the board. Nats; guess."""

UNRELATED_BOARD_NATS = -25.0
"""Prior of a board unrelated to the record, however many offences would explain it. Nats; guess."""

BEARING_HABIT_LIMIT_NATS = 3.0
"""Limit of the habit of bearing off all one can: one exception in twenty. Log-odds in nats; guess."""

# -- Rolls

LEAST_MISREPORTED = 1e-6
"""Least probability of dice being misreported in one particular way. Probability; guess."""

ROLL_MISSED_NATS = math.log(0.02)
"""Prior of a roll that the dice sensor did not report: one in fifty. Nats; guess."""

ROLL_SEEN_IN_PICTURES_NATS = math.log(0.5)
"""Prior of a play of dice that pictures show though the sensor reported no roll. Nats; guess."""

ROLL_REPLACED_NATS = -4.0
"""Prior of a roll being thrown over: dice jostled, thrown too early, or leaning unseen. Nats; guess."""

ROLL_NOT_COUNTED_NATS = math.log(0.5)
"""Prior of a roll with one die reported being thrown again because the other fell off. Nats; guess."""

OPENING_THROWN_OVER_NATS = math.log(0.5)
"""Prior of an opening throw not being played where the laws let both dice be thrown again. Nats; guess."""

OPENING_TIE_NATS = math.log(6 / 30)
"""Odds of the opening throw being a tie. Log-odds in nats; law: six of 36 throws are, and they are void."""

CLOSED_OUT_NOT_THROWN_NATS = math.log(0.5)
"""Prior of a closed-out player not throwing where he need not. Nats; guess."""

THROWN_WHILE_SUSPENDED_NATS = math.log(0.02)
"""Prior of a closed-out player throwing although the laws suspend his play. Nats; guess."""

PICTURE_SHOWS_ROLL_NATS = math.log(0.8)
"""Log-likelihood of pictures showing the roll that lies there. Nats; measured: 63 of 78 throws, seen in one
or two pictures, on boards of kinds that the networks were not trained on; on six further kinds 12 of 14 whose
faces were told with 0.9 or more."""

PICTURE_ONE_DIE_OFF_NATS = math.log(0.19 / 10)
"""Log-likelihood of pictures showing one particular roll with one face wrong. Nats; measured: 15 of 78."""

PICTURE_OTHER_ROLL_NATS = math.log(0.01 / 10)
"""Log-likelihood of pictures showing one particular other roll. Nats; measured: none of the 78; taken as one
in a hundred for all of them together."""

PICTURES_TO_TRUST = 3
"""Pictures showing the same roll from which on it is trusted more. Count; guess."""

TRUSTED_PICTURES_NATS = math.log(0.025 / 0.19)
"""Added for other rolls then; all pictures of a throw may err alike. Nats; measured: 13 of 527 throws, and
one of 68 on those six kinds."""

# -- Boards that no history explains

UNEXPLAINED_NATS = -6.0
"""Missed and misreported rolls are considered when the best history explains a board worse. Nats; guess."""

BOARD_UPSET_NATS = -18.0
"""Prior of the board being upset, whatever lies there then. Nats; guess."""

RECORD_ASTRAY_NATS = -14.0
"""Prior of the record having gone astray by one half-turn. Nats; guess."""

UNLIKE_ANY_ROLL_NATS = -3.0
"""Added for each checker moved in an irregular play of unknown dice: one roll in twenty fits. Nats; guess."""

# -- What players are shown

OFFENCE_LEAD_NATS = math.log(3)
"""A board is called illegal when it is this much likelier than all others: three to one. Nats; guess."""

NOT_FURNISHED_NATS = -5.0
"""A place is not set up correctly when what belongs there is less likely. Nats; guess."""

BOARD_FITS_NATS = -8.0
"""A board fits a view unless its log-likelihood is lower: nearly one place is wrong. Nats; guess."""

MOST_MEN_OMITTED = 2
"""Most men missing when dice are reported; a board that lacks more is still being set up. Count; guess."""

# --- Words of people

MOST_WORDS = 20
"""Most words of people that can be undone, one after the other. Count; guess."""
