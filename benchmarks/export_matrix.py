"""Every clip of a folder through `lightloom process` into every kind of file, measured with ffprobe, as a
table.

    python benchmarks/export_matrix.py FOLDER [--range 0-2] [--size 320x] [--only NAME] [--json FILE]

A row is right where the pictures last as long as the source's within one picture (ffprobe), the sound is
heard where the source's is within 10 ms (the lag at which the samples that ffmpeg gives of both, counted from
the first picture, are most alike), and it ends there within 10 ms (ffprobe; of a part, whose sound ends with
a whole packet, within a packet). Sound that goes on for more than a second behind the last picture is cut
there. What was said before the work began stands behind. The exit status is 1 if a row is not right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

_SOUND_S: Final = 0.010
_AFTER_S: Final = 1.0


@dataclass(frozen=True)
class Extent:
    """When something begins and ends, in seconds; `step`: how long one of its parts is."""

    start: float
    end: float
    step: float


@dataclass(frozen=True)
class Row:
    """One export."""

    clip: str
    kind: str
    is_right: bool
    wall_s: float
    video_ms: float
    frame_ms: float
    sound_lag_ms: float | None
    sound_end_ms: float | None
    said: list[str]


def _probe(path: Path, stream: str, entries: str) -> list[dict[str, Any]]:
    command = ["ffprobe", "-v", "quiet", "-select_streams", stream, "-show_entries", entries, "-of", "json"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    return next((value for key, value in document.items() if key in ("frames", "packets", "streams")), [])


def _extent(path: Path, stream: str) -> Extent | None:
    """Of what is decoded, so that priming, edit lists and broken packets count as players take them."""
    fields = "best_effort_timestamp_time,pkt_duration_time,duration_time,nb_samples"
    frames = _probe(path, stream, f"frame={fields}")
    timed = [f for f in frames if "best_effort_timestamp_time" in f]
    if not timed:
        return None
    stamps = sorted(float(f["best_effort_timestamp_time"]) for f in timed)
    if stream.startswith("a"):
        rate = float(_probe(path, stream, "stream=sample_rate")[0]["sample_rate"])
        step = timed[-1]["nb_samples"] / rate
    else:
        gap = stamps[-1] - stamps[-2] if len(stamps) > 1 else 0.04
        step = float(timed[-1].get("duration_time", timed[-1].get("pkt_duration_time", gap)))
    return Extent(stamps[0], stamps[-1] + step, step)


def _stated(path: Path, stream: str, made: Extent) -> Extent:
    """With the length that the track states: packets of fragmented MP4 have none of their own. Matroska
    states none, its packets do.
    """
    stated = _probe(path, stream, "stream=duration")[0].get("duration")
    if stated is not None:
        start = (
            max(made.start, 0.0) if stream == "a:0" else made.start
        )  # what comes before is an encoder's priming
        begin = float(_probe(path, stream, "stream=start_time")[0].get("start_time", made.start))
        return Extent(start, begin + float(stated), made.step)
    if stream == "a:0":
        return made  # decoded samples, without what the last packet has too many
    packets = _probe(path, stream, "packet=pts_time,duration_time")
    ends = [float(p["pts_time"]) + float(p.get("duration_time", made.step)) for p in packets]
    return Extent(made.start, max(ends), made.step)


def _samples(path: Path, at: float, seconds: float) -> np.ndarray:
    """Audio from a time on, mono at 8 kHz."""
    command = ["ffmpeg", "-v", "quiet", "-copyts", "-i", str(path), "-map", "a:0", "-af"]
    # From time 0 on, with silence where there is no sound.
    filters = f"asetpts=PTS-{at}/TB,aresample=8000:async=1:first_pts=0"
    command += [filters, "-ac", "1", "-t", str(seconds), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, np.float32)


def _lag_ms(first: np.ndarray, second: np.ndarray) -> float:
    """Delay of the second one, from -200 to 200 ms; 0 without a sound."""
    length = min(len(first), len(second))
    spectra = (np.fft.rfft(each[:length], 2 * length) for each in (first, second))
    alike = np.fft.irfft(np.conj(next(spectra)) * next(spectra))
    near = np.concatenate([alike[-1600:], alike[:1601]])
    return 0.0 if not near.max() > 1e-3 else (int(near.argmax()) - 1600) / 8.0


def _process(clip: Path, target: Path, part: str, size: str) -> tuple[int, list[str]]:
    command = [sys.executable, "-m", "desktop", "process", str(clip), "-o", str(target)]
    command += [*(["--range", part] if part else []), *(["--size", size] if size else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, [line.removeprefix("lightloom: ") for line in done.stderr.splitlines()]


def _row(clip: Path, kind: str, part: str, size: str, folder: Path) -> Row:
    target = folder / f"out{kind}"
    begun = time.perf_counter()
    status, said = _process(clip, target, part, size)
    wall = time.perf_counter() - begun
    if status:
        return Row(clip.name, kind, False, wall, 0.0, 0.0, None, None, said)
    limit = float(part.partition("-")[2]) if part else float("inf")
    source, sound = _extent(clip, "v:0"), _extent(clip, "a:0")
    made, heard = _extent(target, "v:0"), _extent(target, "a:0")
    assert source is not None and made is not None
    made = _stated(target, "v:0", made)
    seconds = min(source.end - source.start, limit)
    video = (made.end - made.start) - seconds
    frame = max(source.step, seconds / max(len(_probe(clip, "v:0", "packet=size")), 1))
    right = abs(video) <= frame + 1e-3
    lag = end = None
    if sound is not None and heard is not None:
        heard = _stated(target, "a:0", heard)
        wanted = min(sound.end - source.start, seconds + (_AFTER_S if not part else 0.0))
        end = (heard.end - made.start) - wanted
        samples = (_samples(path, at, seconds) for path, at in ((clip, source.start), (target, made.start)))
        lag = _lag_ms(*samples) / 1e3
        right = (
            right
            and abs(lag) <= _SOUND_S
            and abs(end) <= (_SOUND_S if not part else max(sound.step, heard.step) + 1e-3)
        )
    elif sound is not None and sound.start - source.start < seconds:
        right = right and any("sound" in line.lower() for line in said)
    target.unlink()
    milliseconds = [None if value is None else round(value * 1e3, 1) for value in (lag, end)]
    return Row(clip.name, kind, right, wall, video * 1e3, frame * 1e3, milliseconds[0], milliseconds[1], said)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", nargs="+", default=[".mp4", ".mkv", ".webm"])
    parser.add_argument("--range", default="", help="0-2: the first two seconds")
    parser.add_argument("--size", default="", help="320x: pictures of this size, which are encoded sooner")
    parser.add_argument("--only", default="", help="part of a clip's name")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for clip in sorted(options.folder.iterdir()):
            for kind in options.kinds if options.only in clip.name else ():
                row = _row(clip, kind, options.range, options.size, Path(folder))
                rows.append(row)
                print(_text(row), flush=True)
    right = sum(row.is_right for row in rows)
    print(f"{right} of {len(rows)} right, {sum(row.wall_s for row in rows):.0f} s")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    return 0 if rows and right == len(rows) else 1


def _text(row: Row) -> str:
    sound = "no audio"
    if row.sound_lag_ms is not None:
        sound = f"sound {row.sound_lag_ms:+.1f} {row.sound_end_ms:+.1f} ms"
    word = "right" if row.is_right else "WRONG"
    said = " | ".join(row.said)
    return f"{word}  {row.clip:<42} {row.kind:<5} {row.wall_s:5.1f} s  video {row.video_ms:+.1f} of {row.frame_ms:.1f} ms  {sound}  {said}"


if __name__ == "__main__":
    sys.exit(main())
