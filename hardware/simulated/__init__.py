"""Simulated devices: a drawn table, its camera, its dice tray."""
