"""Photoreal backgammon boards. A number determines a session: board, checkers, light, camera, positions."""
