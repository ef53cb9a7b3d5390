"""Frames: sources, containers, sound, and the upload of planes."""
