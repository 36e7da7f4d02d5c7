"""The hall: rows of the boards, tournaments, and the page of all boards."""
