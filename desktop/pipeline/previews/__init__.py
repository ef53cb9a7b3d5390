"""Previews: the frame shown under other chains, at the size of a thumbnail."""
