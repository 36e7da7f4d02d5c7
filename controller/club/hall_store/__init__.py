"""What the hall keeps: the rows of its boards and its tournaments, on SQLite or PostgreSQL."""
