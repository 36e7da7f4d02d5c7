"""The health of the service: counters, its pace, its lines in the journal of systemd."""
