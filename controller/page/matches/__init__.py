"""The kept matches on the page."""
