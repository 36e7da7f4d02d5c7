"""Reads one photograph without a calibration."""
