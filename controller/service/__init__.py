"""The live service: the loop, its devices, settings, restart and shutdown."""
