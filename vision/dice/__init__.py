"""Dice on the field."""
