"""Games and matches as sequences of actions."""
