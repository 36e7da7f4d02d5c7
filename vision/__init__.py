"""Pixels in, likelihoods out: geometry, calibration, reading checkers, hands and dice. Knows no rules."""
