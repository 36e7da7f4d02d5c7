"""The record of a match: what was played, and the files that hold it."""
