"""Devices: cameras, the serial dice port, the LED strip. Knows no game."""
