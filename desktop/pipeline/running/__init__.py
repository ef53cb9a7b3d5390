"""Execution of networks beside or in the picture: inside the frame, in slices, or on a worker thread."""
