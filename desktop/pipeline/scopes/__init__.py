"""Scopes: histogram, waveforms and vectorscope of a frame, and colors at a point (docs/scopes.md)."""
