"""Measure the offset between video and audio during playback, in real time.

A clip of flashes and beeps is made and played for a minute: seeks, changes of speed, pauses, an A-B loop, and
a consumer that takes no picture for a while now and then, as one does whose frames go out over a slow
network. When a flash was taken and when a beep was heard (what a silent device took, by its clock) give the
offset of each: positive if the picture is late.

    python benchmarks/sound.py [--seconds 60] [--load N] [--clip PATH] [--json]

`--load` keeps N threads of Python busy meanwhile, which take the interpreter from the threads of the sound.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sound_rig import beeps_of, flashes_of, tone, write_flashes

from desktop.media.audio.devices.silent import SilentDevice
from desktop.media.audio.output import SoundOutput
from desktop.media.audio.samples import RATE
from desktop.media.sources.video import VideoSource

_POLL = 0.004
_SPEEDS = (0.5, 0.75, 1.0, 1.0, 1.5, 2.0)
# A flash further from any beep than this had none: a seek went between the two.
_PAIR = 0.2


class Run:
    """One minute of play."""

    def __init__(self, path: Path) -> None:
        self.heard: list[tuple[float, np.ndarray]] = []
        self.seen: list[tuple[float, float, bool]] = []
        self.output = SoundOutput(
            opens=lambda choice: SilentDevice(heard=lambda at, block: self.heard.append((at, block.copy())))
        )
        self.source = VideoSource(path)
        self.source.sound.use(self.output)
        self.source.start()
        self.jumps: list[float] = []

    def play(self, seconds: float, random_numbers: random.Random) -> None:
        """Play, and do something to it every second or two."""
        end, then, blind = time.perf_counter() + seconds, time.perf_counter() + 3.0, 0.0
        while (now := time.perf_counter()) < end:
            if now > then:
                then = now + random_numbers.uniform(1.5, 3.5)
                blind = now + self._act(random_numbers)
            if now > blind:
                self._look()
            time.sleep(_POLL)

    def _act(self, random_numbers: random.Random) -> float:
        """Do one thing; return for how long no picture is taken."""
        source, duration = self.source, self.source.info.duration
        what = random_numbers.randrange(5)
        self.jumps.append(time.perf_counter())
        if what == 0:
            source.seek(random_numbers.uniform(0, duration - 6))
        elif what == 1:
            source.set_speed(random_numbers.choice(_SPEEDS))
        elif what == 2:
            begin = random_numbers.uniform(0, duration - 8)
            source.set_loop(begin, begin + random_numbers.uniform(1.2, 3.0))
        elif what == 3:
            source.set_loop(None, None)
            source.pause()
            time.sleep(0.15)
            source.play()
        else:
            return 0.4
        return 0.0

    def _look(self) -> None:
        now = time.perf_counter()
        frame = self.source.take(now)
        if frame is not None:
            bright = np.frombuffer(memoryview(frame.planes[0].data), np.uint8)[:16].mean() > 128
            self.seen.append((now, frame.pts, bool(bright)))
        elif self.source.state == "ended":
            self.source.seek(0.0)

    def offsets(self) -> np.ndarray:
        """Return, in seconds, how much later than its beep each flash was seen."""
        beeps = beeps_of(self.heard)
        found = np.array([flash - beeps[np.abs(beeps - flash).argmin()] for flash in flashes_of(self.seen)])
        return found[np.abs(found) < _PAIR]

    def starved(self) -> float:
        """Return the share of silent blocks among those that were taken while nothing was done to the source
        for a second.
        """
        jumps = np.array([*self.jumps, -np.inf])
        return float(np.mean([not block.any() for at, block in self.heard if np.abs(jumps - at).min() > 1.0]))

    def close(self) -> None:
        """Stop."""
        self.source.close()
        self.output.close()


def _spin(end: threading.Event) -> None:
    while not end.is_set():
        sum(range(2000))


def _clip(folder: str) -> Path:
    # A hum under the beeps: silence in what was taken is then starvation.
    path, seconds = Path(folder) / "flashes.mkv", 30.0
    marks = [float(at) for at in np.arange(0.4, seconds - 0.1, 0.6)]
    hum = 0.02 * np.sin(2 * np.pi * 150 * np.arange(round(seconds * RATE)) / RATE).astype(np.float32)
    write_flashes(path, seconds=seconds, every=0.6, sound=tone(RATE, seconds, marks) + hum)
    return path


def main() -> int:
    """Print the figures; 1 if the 95th percentile is above 40 ms."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--load", type=int, default=0, metavar="N")
    parser.add_argument("--clip", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # As the program itself does.
    sys.setswitchinterval(2e-4)
    end = threading.Event()
    for _ in range(options.load):
        threading.Thread(target=_spin, args=(end,), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options.clip or _clip(folder))
        run.play(options.seconds, random.Random(options.seed))
        run.close()
    end.set()
    found = np.abs(run.offsets()) * 1000
    figures = {
        "seconds": options.seconds,
        "load": options.load,
        "flashes": len(found),
        "p50_ms": round(float(np.percentile(found, 50)), 1),
        "p95_ms": round(float(np.percentile(found, 95)), 1),
        "max_ms": round(float(found.max()), 1),
        "silent_share": round(run.starved(), 4),
    }
    if options.json:
        print(json.dumps(figures))
    else:
        print(
            f"{figures['flashes']} flashes in {options.seconds:g} s, {options.load} busy threads: offset p50 {figures['p50_ms']} ms, "
            f"p95 {figures['p95_ms']} ms, max {figures['max_ms']} ms; silent where it should sound: {100 * run.starved():.2f} %"
        )
    return int(figures["p95_ms"] > 40.0)


if __name__ == "__main__":
    sys.exit(main())
