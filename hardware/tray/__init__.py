"""The dice tray's plans: its board, its printed parts, and what light does in it, all from one set of
measures."""
