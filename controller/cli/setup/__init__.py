"""The command that sets a board up in the terminal."""
