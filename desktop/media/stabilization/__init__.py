"""Stabilization in two passes: motion from frame to frame, a smoothed path, and a warp for each frame."""
