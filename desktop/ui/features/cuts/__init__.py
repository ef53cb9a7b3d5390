"""Scene cuts of the open video."""
