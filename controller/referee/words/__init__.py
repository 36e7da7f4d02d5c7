"""The words of people, parsed into events, and the sentences for each effect."""
