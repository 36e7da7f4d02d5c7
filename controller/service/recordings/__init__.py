"""Recordings on disk: written by the service, played back, turned into a transcript."""
