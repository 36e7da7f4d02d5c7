"""Many boards in a hall: tournaments, messages between boards and hall, the hall and its page."""
