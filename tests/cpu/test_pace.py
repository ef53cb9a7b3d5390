"""When the read-back thread looks whether a frame is finished."""

from __future__ import annotations

import itertools
import time

from desktop.compute.gpu.pace import Pace


def wait(pace, submitted_at, until):
    """Sleep and look as the read-back thread does; return the looks and how late the last one was."""
    looks = 0
    for nap in pace.naps(submitted_at):
        time.sleep(nap)
        looks += 1
        if time.perf_counter() >= until:
            break
    return looks, pace.finished(submitted_at) - until


def test_after_some_frames_there_are_few_looks():
    pace = Pace()
    looks = []
    for _ in range(30):
        begun = time.perf_counter()
        looks.append(wait(pace, begun, begun + 0.02)[0])
    # The first frame is looked for all the time; later ones from nine tenths of the expected time on.
    assert looks[0] > 15
    assert sorted(looks[10:])[10] < looks[0] / 1.5


def test_naps_grow_and_end_at_a_millisecond():
    naps = list(itertools.islice(Pace().naps(time.perf_counter()), 40))
    assert naps == sorted(naps) and naps[0] <= 1e-4 and naps[-1] == 1e-3


def test_a_frame_is_expected_from_the_end_of_the_one_before():
    pace = Pace()
    for _ in range(20):
        begun = time.perf_counter()
        wait(pace, begun, begun + 0.01)
    ended = time.perf_counter()
    # Submitted long ago, behind the frame that has just ended: the GPU has only begun it.
    first = next(pace.naps(ended - 1.0))
    assert 0.004 < first < 0.02


def test_a_shorter_frame_is_learned():
    pace = Pace()
    for _ in range(20):
        begun = time.perf_counter()
        wait(pace, begun, begun + 0.02)
    for _ in range(40):
        begun = time.perf_counter()
        late = wait(pace, begun, begun + 0.002)[1]
    assert late < 0.01
