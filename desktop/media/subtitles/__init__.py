"""Subtitles of a video's tracks and of sidecar files: read here, painted by `desktop/overlay/`."""
