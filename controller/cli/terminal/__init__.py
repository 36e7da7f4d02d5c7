"""What every command needs of the terminal: progress, files to write, completion."""
