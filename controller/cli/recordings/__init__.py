"""Commands on recordings."""
