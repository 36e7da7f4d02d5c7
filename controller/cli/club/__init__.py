"""The hall of a club, and the option that publishes a board to it."""
