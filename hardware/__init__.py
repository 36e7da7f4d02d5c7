"""The edge: cameras, the serial dice port, the LED strip, each with its simulated twin. Knows no game."""
