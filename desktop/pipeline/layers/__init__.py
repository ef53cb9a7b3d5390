"""Layers: videos, images and texts over and under the main image (docs/layers.md)."""
