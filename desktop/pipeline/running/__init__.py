"""Execution of networks: inside the frame, in slices, or on a worker thread."""
