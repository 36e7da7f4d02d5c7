"""Which courses of the game are possible, and how likely each is."""
