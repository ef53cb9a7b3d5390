"""Frames: sources, containers, audio, and the upload of planes."""
