"""Outputs for finished frames, one file each."""
