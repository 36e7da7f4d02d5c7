"""One picture and the appearance of the board give a distribution for every place."""
