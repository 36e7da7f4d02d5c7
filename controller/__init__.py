"""The game: rules, referee, record, and the programs that join them to a board."""
