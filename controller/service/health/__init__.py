"""How the service fares: counters, its pace, its lines in the journal of systemd."""
