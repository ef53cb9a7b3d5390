"""One network on one frame: inside the frame, in slices, or on a worker thread."""
