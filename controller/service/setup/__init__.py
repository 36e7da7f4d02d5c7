"""Setting a board up: where it lies, who sits where, dice, lights, names."""
