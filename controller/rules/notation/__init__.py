"""Text forms of plays and positions: play notation, position IDs, XGID, calls."""
