"""The opening plays and the chances that the books print, beside what enumeration gives."""
