"""The sentences for each effect and each refused command."""
