"""Lightloom: GPU filters and neural networks on live video."""
