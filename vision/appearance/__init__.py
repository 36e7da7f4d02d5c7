"""What this board, these checkers and this light look like, and how that is learnt."""
