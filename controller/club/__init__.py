"""Many boards in a hall: tournaments, the messages of the boards, the hall and its page."""
