"""Legal plays, shots, and explanations of illegal boards."""
