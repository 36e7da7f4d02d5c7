"""Photoreal backgammon boards. A number decides a session: board, checkers, light, camera, position."""
