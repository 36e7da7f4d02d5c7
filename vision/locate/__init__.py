"""Finds the field in a picture: corners, bar, columns."""
