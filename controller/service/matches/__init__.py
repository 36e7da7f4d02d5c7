"""Whole matches: where they are kept, what the log holds of each, and their files."""
