"""The opening plays and the chances that the books print, and the chances that enumeration gives."""
