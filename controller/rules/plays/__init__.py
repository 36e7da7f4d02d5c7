"""Legal plays, shots, and the explanation of illegal boards."""
