"""Teaches the networks of `vision.networks`. Needs PyTorch; not installed."""
