"""The sentences for each effect, and for each command that changes nothing."""
