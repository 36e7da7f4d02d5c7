"""Tournaments as pure values: entrants, draws, fixtures, results, standings, ratings. No clock, no chance."""
