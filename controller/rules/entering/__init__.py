"""Russian and Turkish backgammon, in which throws enter the checkers."""
