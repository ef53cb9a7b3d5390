"""Sound that plays: opening a track, decoding it on the picture's time line, and seeking to and fro in it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from desktop.base.errors import SoundError
from desktop.base.printable import printable
from desktop.media.audio.reader import SoundReader, tracks_of
from desktop.media.sources._video_file import open_file
from fuzz import read_video
from fuzz.harness import Finding, Harness
from fuzz.material import written


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "clip", data)
    with open_file(path) as container:
        tracks = tracks_of(container)
    for track in tracks[:2]:
        if printable(track.name) != track.name:
            raise Finding("a track whose name cannot be shown")
        try:
            reader = SoundReader(lambda: open_file(path), track.index, 0.0)
        except SoundError:
            continue
        try:
            _listen(reader, Random(len(data)))
        finally:
            reader.close()


def _listen(reader: SoundReader, random: Random) -> None:
    for place in (None, 0.5, 0.0, 1e9, random.uniform(0, 1), -1.0):
        if place is not None:
            reader.seek(place)
        for frames in (1, 4800, random.randrange(1, 30_000)):
            heard = reader.read(frames)
            if heard.shape != (frames, 2) or not np.isfinite(heard).all():
                raise Finding("what is heard is no sound")


_VIDEO = read_video.HARNESS
HARNESS = Harness(_read, _VIDEO.seeds, _VIDEO.tokens, _VIDEO.mutate, memory_mb=400, seconds=20.0)
