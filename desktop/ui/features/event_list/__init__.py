"""List of events with thumbnails and clips."""
