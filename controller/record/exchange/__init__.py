"""Match files: what their formats cannot express, and a live match written in one call."""
