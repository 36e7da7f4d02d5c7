"""Keeps the log through years: what is whole is saved from a damaged one, and copies are kept."""
