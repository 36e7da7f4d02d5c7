"""Measurements: `python -m bench [--data FOLDER] [NAME ...]`."""
