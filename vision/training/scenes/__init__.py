"""Photoreal backgammon boards, each session made from a number: board, checkers, light, camera, what lies there."""
