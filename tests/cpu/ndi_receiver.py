"""Receives an NDI source and writes what came: a program of its own, as receivers are.

    python ndi_receiver.py NAME SOUND FILE

FILE is made when a picture has come that is not black, and, where SOUND is 'sound', as many samples as are
looked at.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from cyndilib import AudioFrameSync, Finder, Receiver, RecvBandwidth, RecvColorFormat, VideoFrameSync

SAMPLES = 24_000


def find(name):
    # One that was opened before the source began may not see it for minutes.
    while True:
        with Finder() as finder:
            finder.wait_for_sources(0.5)
            for full in finder.get_source_names():
                if f"({name})" in full:
                    return finder, finder.get_source(full)


def main():
    name, sound, path = sys.argv[1:]
    receiver = Receiver(color_format=RecvColorFormat.RGBX_RGBA, bandwidth=RecvBandwidth.highest)
    pictures, samples = VideoFrameSync(), AudioFrameSync()
    receiver.frame_sync.set_video_frame(pictures)
    receiver.frame_sync.set_audio_frame(samples)
    finder, source = find(name)
    receiver.set_source(source)
    heard = np.zeros((2, 0), np.float32)
    picture = None
    while picture is None or (sound == "sound" and heard.shape[1] < SAMPLES):
        time.sleep(0.02)
        receiver.frame_sync.capture_video()
        if pictures.xres:
            got = np.array(pictures.get_array()).reshape(pictures.yres, -1, 4)
            picture = got if got[..., :3].any() else picture
        if sound == "sound" and (ready := receiver.frame_sync.audio_samples_available()):
            receiver.frame_sync.capture_audio(ready)
            got = np.array(samples.get_array())
            loud = np.nonzero(np.abs(got).max(0) > 0)[0] if got.size else ()
            if len(loud) or heard.shape[1]:
                heard = np.concatenate((heard, got), 1)
    rate = pictures.get_frame_rate()
    np.savez(
        path,
        picture=picture,
        heard=heard,
        rate=(rate.numerator, rate.denominator),
        alpha=int(pictures.fourcc),
    )
    del finder
    receiver.disconnect()


if __name__ == "__main__":
    main()
