"""The page: the game in a browser, and the words that people give there."""
