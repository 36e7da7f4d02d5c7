"""What lies and moves on and beside a board: checkers, dice, hands, things."""
