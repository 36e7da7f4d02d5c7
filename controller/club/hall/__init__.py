"""The hall: what comes from the boards, the tournaments, and the page of all boards."""
