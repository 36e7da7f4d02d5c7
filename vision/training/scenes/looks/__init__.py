"""How boards and checkers look: families, materials, colours, prints."""
