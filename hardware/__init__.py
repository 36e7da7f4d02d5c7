"""Devices: cameras, the serial dice port, the LED strip, each with a simulated twin. Knows no game."""
