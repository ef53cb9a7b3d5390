"""The sound of the shared clips, which strangers' programs wrote: the same from any place, and never at the
picture's cost.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from desktop.base.errors import SoundError
from desktop.media.audio.reader import SoundReader
from desktop.media.audio.samples import RATE
from desktop.media.sources._video_file import open_file
from desktop.media.sources._video_reader import VideoReader

pytestmark = pytest.mark.shared
FOLDER = Path(os.environ.get("LIGHTLOOM_SHARED", "../shared")) / "video" / "files"
CLIPS = sorted(FOLDER.glob("*.*")) if FOLDER.is_dir() else []


@pytest.mark.parametrize("path", CLIPS, ids=lambda path: path.name)
def test_a_seek_gives_what_playing_up_to_there_gives(path):
    pictures = VideoReader(path, hwaccel="none")
    tracks, facts = pictures.sound_tracks, pictures.facts
    pictures.close()
    for track in tracks:
        try:
            reader = SoundReader(lambda: open_file(path), track.index, facts.start_time, path.name)
        except SoundError as error:
            assert path.name in str(error)
            continue
        length = min(facts.duration, 12.0)
        whole = np.concatenate([reader.read(RATE // 10) for _ in range(max(1, round(length * 10)))])
        assert np.isfinite(whole).all()
        for share in (0.3, 0.7, 0.0):
            at = round(share * length, 2)
            reader.seek(at)
            part = reader.read(RATE // 2)
            expected = whole[round(at * RATE) :][: len(part)]
            part = part[: len(expected)]
            loud = np.abs(expected).max(initial=0.0)
            if loud > 0.01:
                # Decoders settle within a packet; what is compared lies behind it.
                a, b = part[RATE // 10 :, 0], expected[RATE // 10 :, 0]
                shifts = range(-240, 241, 8)
                errors = [np.abs(a[240:-240] - np.roll(b, shift)[240:-240]).mean() for shift in shifts]
                assert min(errors) < 0.1 * loud, (path.name, at, min(errors), loud)
        reader.close()
