"""Turns readings of the board and the dice into events of the referee."""
