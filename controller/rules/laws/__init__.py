"""Sets of laws as data, and the pages that print them."""
