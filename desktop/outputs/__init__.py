"""Outputs for finished pictures, one file each."""
