"""The page: the game in a browser, and the commands that people give there."""
