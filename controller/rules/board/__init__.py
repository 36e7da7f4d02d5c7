"""The board and its checkers: players, positions, dice, and the turn state of a game."""
