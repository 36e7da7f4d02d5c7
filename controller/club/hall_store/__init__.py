"""The database of the hall: the rows of its boards and its tournaments, on SQLite or PostgreSQL."""
