"""What follows from the state: offences, lamps, questions, announcements."""
