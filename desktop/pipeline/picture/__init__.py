"""Passes over the frame itself: upload, color planes, deinterlacing, redaction, masks, presentation."""
