"""Follows a camera that was bumped, and a board that was pushed."""
