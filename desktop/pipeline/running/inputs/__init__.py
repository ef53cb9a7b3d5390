"""Preparation of network inputs on the GPU."""
