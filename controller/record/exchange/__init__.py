"""Match files: what other programs have no words for, and live matches written in one call."""
