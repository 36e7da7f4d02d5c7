"""Keeps the log safe through years: salvages a damaged log, and backs up and restores a whole one."""
