"""Readers of untrusted label files, a module per format, each with limits; invalid entries are counted."""
