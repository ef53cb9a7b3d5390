"""Subtitles, of a video's own tracks and of files beside it: read here, painted by `desktop/overlay/`.

    tracks.py    which there are, and the files beside a video
    reader.py    one track, read from the requested time on, on the caller's thread
    cues.py      what stands from when to when
    ass_text.py  text, as FFmpeg's decoders of all text formats give it
    pgs.py, vobsub.py   images: Blu-ray's and DVD's

`desktop/media/sources/_video_subtitles.py` runs a reader beside a playing video.
"""
