"""Analysis of a network's results over time: tracks from picture to picture (`scene.py`), counts, events, redaction."""
