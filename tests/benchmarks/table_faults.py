"""What goes wrong at a simulated table, and how often."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TableFaults:
    """What goes wrong at the table, as shares from 0 to 1; of half-turns unless said otherwise.

    missed_reading: share of the pictures that are lost.
    missed_roll: the sensor reports nothing. half_heard: one die is not reported, or not reported to rest.
    misread_roll: one die is reported with another face.
    illegal: an illegal play is made. corrected: share of these that are put right before the dice are lifted.
    knocked: a checker falls off the board or slips to the next point, and is put back a while later.
    cocked: a die leans, and both are thrown again.
    early_roll: the opponent throws as soon as the play is made, before the dice are lifted.
    unwatched: nothing is seen from before this play until after the next one.
    taken_back: another legal play is made first, and taken back.
    paused: the play rests half made for a while.
    """

    missed_reading: float = 0.05
    missed_roll: float = 0.015
    half_heard: float = 0.005
    misread_roll: float = 0.01
    illegal: float = 0.02
    corrected: float = 0.5
    knocked: float = 0.01
    cocked: float = 0.02
    early_roll: float = 0.02
    unwatched: float = 0.005
    taken_back: float = 0.02
    paused: float = 0.05


USUAL_FAULTS = TableFaults()
NO_FAULTS = TableFaults(
    missed_reading=0,
    missed_roll=0,
    half_heard=0,
    misread_roll=0,
    illegal=0,
    knocked=0,
    cocked=0,
    early_roll=0,
    unwatched=0,
    taken_back=0,
    paused=0,
)


FATES = (
    "missed_roll",
    "half_heard",
    "misread_roll",
    "illegal",
    "knocked",
    "cocked",
    "early_roll",
    "unwatched",
    "taken_back",
    "paused",
)
"""The faults of half-turns, by the names of their fields."""
