"""Setting a board up on the page."""
