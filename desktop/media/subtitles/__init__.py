"""Subtitles of a video's tracks and of sidecar files: read here, painted by `desktop/overlay/`.

    tracks.py    lists tracks, and files next to a video
    reader.py    one track, read from the requested time on, on the caller's thread
    cues.py      subtitles with their times
    ass_text.py  text, as returned by FFmpeg's decoders of all text formats
    pgs.py, vobsub.py   images: Blu-ray's and DVD's

`desktop/media/sources/_video_subtitles.py` runs a reader during playback.
"""
