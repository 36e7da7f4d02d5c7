"""What commands share: progress, files to write, completion."""
