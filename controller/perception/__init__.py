"""Joins pictures and dice to the events of the referee."""
