"""Follows a camera that was bumped, and finds hands in the picture."""
