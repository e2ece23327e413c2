"""Stored results and what was made of them -> views. Pure; the last room that knows held-out material."""
