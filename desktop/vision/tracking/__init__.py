"""Analysis of results over time: tracks from frame to frame (`scene.py`), counts, events, redaction."""
