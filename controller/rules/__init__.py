"""The rules of backgammon: positions, dice, and what may be played. Pure values, no input or output."""

from controller.rules.dice import Dice as Dice
from controller.rules.dice import DiceError as DiceError
from controller.rules.explain import explain as explain
from controller.rules.explain import unfurnished as unfurnished
from controller.rules.laws import LAWS as LAWS
from controller.rules.laws import MODERN as MODERN
from controller.rules.laws import Laws as Laws
from controller.rules.offences import Offence as Offence
from controller.rules.offences import OffenceKind as OffenceKind
from controller.rules.offences import Place as Place
from controller.rules.plays import LegalPlays as LegalPlays
from controller.rules.plays import Play as Play
from controller.rules.plays import Step as Step
from controller.rules.plays import legal_plays as legal_plays
from controller.rules.plays import notation as notation
from controller.rules.position import BAR as BAR
from controller.rules.position import N_CHECKERS as N_CHECKERS
from controller.rules.position import OFF as OFF
from controller.rules.position import Defect as Defect
from controller.rules.position import DefectKind as DefectKind
from controller.rules.position import Player as Player
from controller.rules.position import Position as Position
from controller.rules.position import PositionError as PositionError
