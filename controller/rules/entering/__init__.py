"""Russian and Turkish backgammon, whose checkers are entered by throws."""
