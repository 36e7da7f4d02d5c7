"""Learned networks (ONNX files) and what runs them. Knows no rules."""
