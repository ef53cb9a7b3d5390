"""Common parts of several tasks."""
