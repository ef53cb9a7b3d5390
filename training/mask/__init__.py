"""The person mask."""
