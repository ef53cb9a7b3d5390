"""The setup as a file."""
