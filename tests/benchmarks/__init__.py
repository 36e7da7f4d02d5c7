"""Measurements: `python -m tests.benchmarks [--data FOLDER] [NAME ...]`."""
