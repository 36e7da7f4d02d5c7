"""Mending the record on the page."""
