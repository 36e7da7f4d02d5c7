"""The commands for matches that were played: list, show, export, analyse."""
