"""Diffusion networks that repaint the frame."""
