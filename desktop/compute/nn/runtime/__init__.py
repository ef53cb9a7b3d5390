"""A network that runs: its buffers, its dispatches, what goes in and out."""
