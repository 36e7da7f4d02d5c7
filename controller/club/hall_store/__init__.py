"""What the hall keeps: the rows of its boards, its tournaments and ratings, on SQLite or PostgreSQL."""
