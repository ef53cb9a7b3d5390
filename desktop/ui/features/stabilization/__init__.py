"""Stabilization of live sources."""
