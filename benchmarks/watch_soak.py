"""`lightloom watch` with five cameras that are killed, stopped and restarted at random, and killed source processes.

    python benchmarks/watch_soak.py [--minutes 60] [--cameras 5] [--fps 5] [--seed 1] [--folder DIR] [--json]

Each camera is a process that sends MPEG-TS over TCP, 160 x 96, with audio; every frame has its number in it. At the end
all segments are decoded. Exit status 1 unless, for each source, frames received = recorded + dropped + unrecorded +
lost in crashes, the decoded frames are those recorded, no number comes twice or out of order, and the memory of the
supervisor grew by at most 20 MiB after the first tenth.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import psutil

SIZE = (160, 96)
_BITS = 20
_ALLOWED_MIB = 20.0
_RATE = 48_000
_ROOT = Path(__file__).resolve().parents[1]


# -- a camera ------------------------------------------------------------------------------------------------


def picture_of(number: int) -> np.ndarray:
    """Return a frame with its number in columns of black and white: uint8 [height, width, 3]."""
    out = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for bit in range(_BITS):
        out[:, bit * 8 : bit * 8 + 8] = 255 * (number >> bit & 1)
    return out


def number_of(picture: Any) -> int:
    """Return the number in a decoded frame."""
    luma = picture.to_ndarray(format="gray")
    return sum(int(luma[SIZE[1] // 2, bit * 8 + 4] > 128) << bit for bit in range(_BITS))


class _Connection:
    """A client, as the file that FFmpeg writes to."""

    def __init__(self, client: socket.socket) -> None:
        self._client = client

    def write(self, data: bytes) -> int:
        self._client.sendall(data)
        return len(data)


def run_camera(port: int, fps: float, origin: float) -> None:
    """Send to one client after another; numbers count from the time `origin`, so that they go on after a restart."""
    server = socket.create_server(("127.0.0.1", port))
    while True:
        client, _ = server.accept()
        with contextlib.suppress(OSError, av.FFmpegError), client:
            _send(client, fps, origin)


def _send(client: socket.socket, fps: float, origin: float) -> None:
    options = {"flush_packets": "1", "pes_payload_size": "0"}
    with av.open(_Connection(client), "w", format="mpegts", options=options) as output:
        video = output.add_stream("mpeg4", rate=Fraction(fps).limit_denominator(1001))
        video.width, video.height, video.pix_fmt, video.codec_context.gop_size = *SIZE, "yuv420p", 5
        audio = output.add_stream("aac", rate=_RATE)
        audio.layout = "stereo"
        begun = time.time()
        first = round((begun - origin) * fps)
        sent = index = 0
        while True:
            frame = av.VideoFrame.from_ndarray(picture_of(first + index), format="rgb24")
            frame.pts = index
            output.mux(video.encode(frame))
            while sent < (index + 1) / fps * _RATE:
                tone = 0.2 * np.sin(2 * np.pi * 440 * (np.arange(1024) + sent) / _RATE)
                samples = av.AudioFrame.from_ndarray(
                    np.stack([tone, tone]).astype(np.float32), format="fltp", layout="stereo"
                )
                samples.sample_rate, samples.pts = _RATE, sent
                output.mux(audio.encode(samples))
                sent += 1024
            index += 1
            time.sleep(max(0.0, begun + index / fps - time.time()))


class Camera:
    """A camera in a process of its own."""

    def __init__(self, fps: float, origin: float) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = int(server.getsockname()[1])
        self._fps, self._origin = fps, origin
        self._process: subprocess.Popen[bytes] | None = None
        self.due = 0.0
        self.start()

    def start(self) -> None:
        """Start it, if it is not running."""
        if self._process is None:
            words = ["--camera", str(self.port), "--fps", str(self._fps), "--origin", str(self._origin)]
            self._process = subprocess.Popen([sys.executable, __file__, *words], stderr=subprocess.DEVNULL)

    def kill(self, away_s: float) -> None:
        """Kill it, and let it come back after some seconds."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self.due = time.monotonic() + away_s

    def pause(self, is_paused: bool) -> None:
        """Stop its process as it is, or let it go on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP if is_paused else signal.SIGCONT)


# -- the run -------------------------------------------------------------------------------------------------


def write_config(path: Path, cameras: list[Camera], segment: str) -> None:
    """Write the configuration of the cameras."""
    lines: list[str] = []
    for number, camera in enumerate(cameras):
        lines += ["[[source]]", f'name = "camera{number}"', f'address = "tcp://127.0.0.1:{camera.port}"']
        lines += ["[source.record]", 'folder = "recordings"', f'segment = "{segment}"', ""]
    path.write_text("\n".join(lines))


class Service:
    """The command, and its processes."""

    def __init__(self, folder: Path) -> None:
        self.report = folder / "report.json"
        self.log = (folder / "log.txt").open("wb")
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "desktop",
                "watch",
                str(folder / "watch.toml"),
                "--report",
                str(self.report),
            ],
            cwd=_ROOT,
            stderr=self.log,
        )
        self._known = psutil.Process(self.process.pid)

    def children(self) -> list[psutil.Process]:
        """Return the processes of the sources."""
        return self._known.children()

    def usage(self) -> tuple[float, int]:
        """Return the resident memory of the supervisor in MiB and its open files."""
        return self._known.memory_info().rss / 2**20, self._known.num_fds()

    def end(self) -> int:
        """End it, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        self.log.close()
        return status


def harm(rng: random.Random, service: Service, cameras: list[Camera], done: Counter[str]) -> None:
    """Do one harm at random."""
    camera, choice = rng.choice(cameras), rng.random()
    if choice < 0.45:
        camera.kill(rng.uniform(0.0, 8.0))
        done["cameras killed"] += 1
    elif choice < 0.6:
        camera.pause(True)
        time.sleep(rng.uniform(0.5, 7.0))
        camera.pause(False)
        done["cameras stopped for a while"] += 1
    elif choice < 0.8:
        with contextlib.suppress(psutil.Error, IndexError):
            rng.choice(service.children()).kill()
            done["source processes killed"] += 1
    else:
        service.process.send_signal(signal.SIGHUP)
        done["reloads"] += 1


def check(folder: Path, report: dict[str, Any]) -> list[dict[str, Any]]:
    """Decode all segments, and compare them with what was reported."""
    found: list[dict[str, Any]] = []
    for source in report["sources"]:
        name, frames = source["name"], source["frames"]
        numbers: list[int] = []
        # A killed process leaves an unfinished file until its source's next start.
        paths = [
            path
            for path in sorted((folder / "recordings").glob(f"{name}-*.mp4"))
            if ".part" not in path.suffixes
        ]
        silent = 0
        for path in paths:
            with av.open(str(path)) as container:
                numbers += [number_of(picture) for picture in container.decode(video=0)]
                silent += not container.streams.audio
        parts = list((folder / "recordings").glob(f"{name}-*.part*"))
        accounted = frames["recorded"] + frames["dropped"] + frames["unrecorded"] + frames["lost"]
        found.append(
            {
                "source": name,
                "restarts": source["restarts"],
                "breaks": source["breaks"],
                "segments": len(paths),
                "without audio": silent,
                **frames,
                "decoded": len(numbers),
                "is_balanced": frames["received"] == accounted and frames["lost"] >= 0,
                "is_recorded": len(numbers) == frames["recorded"] + frames["recovered"] and not parts,
                "is_ordered": all(a < b for a, b in itertools.pairwise(numbers)),
            }
        )
    return found


def run(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run the service for the given time, and return what was found."""
    rng, done = random.Random(options.seed), Counter[str]()
    origin = time.time()
    cameras = [Camera(options.fps, origin) for _ in range(options.cameras)]
    write_config(folder / "watch.toml", cameras, options.segment)
    service = Service(folder)
    begun = time.monotonic()
    ends, tenth = begun + options.minutes * 60, begun + options.minutes * 6
    at_tenth: tuple[float, int] | None = None
    next_harm = begun + 15.0
    try:
        while (now := time.monotonic()) < ends:
            for camera in cameras:
                if now >= camera.due:
                    camera.start()
            if now >= next_harm and now < ends - 15.0:
                harm(rng, service, cameras, done)
                next_harm = now + rng.uniform(1.0, 2 * options.every)
            if at_tenth is None and now >= tenth:
                at_tenth = service.usage()
            if service.process.poll() is not None:
                raise SystemExit(f"The service ended; see {folder / 'log.txt'}.")
            time.sleep(0.1)
        at_end = service.usage()
        status = service.end()
    finally:
        for camera in cameras:
            camera.kill(0.0)
        if service.process.poll() is None:
            service.process.kill()
    sources = check(folder, json.loads(service.report.read_text()))
    before = at_tenth or at_end
    return {
        "minutes": options.minutes,
        "harm": dict(done),
        "status": status,
        "supervisor_mib": [round(before[0], 1), round(at_end[0], 1)],
        "supervisor_files": [before[1], at_end[1]],
        "sources": sources,
        "passed": status == 0
        and at_end[0] - before[0] <= _ALLOWED_MIB
        and all(each["is_balanced"] and each["is_recorded"] and each["is_ordered"] for each in sources),
    }


def print_found(found: dict[str, Any]) -> None:
    """Print it as a table."""
    print(f"{found['minutes']:g} minutes: " + ", ".join(f"{n} {what}" for what, n in found["harm"].items()))
    for each in found["sources"]:
        good = "ok" if each["is_balanced"] and each["is_recorded"] and each["is_ordered"] else "WRONG"
        print(
            f"{each['source']}: {each['received']} received = {each['recorded']} recorded + {each['dropped']} dropped "
            f"+ {each['unrecorded']} unrecorded + {each['lost']} lost; {each['decoded']} decoded from "
            f"{each['segments']} segments; {each['restarts']} restarts, {each['breaks']} breaks: {good}"
        )
    before, after = found["supervisor_mib"]
    print(
        f"supervisor: {before} MiB after a tenth, {after} MiB at the end; files {found['supervisor_files']}"
    )
    print("passed" if found["passed"] else "FAILED")


def main() -> int:
    """Run it; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--cameras", type=int, default=5)
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--segment", default="20s")
    parser.add_argument("--every", type=float, default=6.0, help="seconds between two harms, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where recordings and log stay (default: deleted)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--camera", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--origin", type=float, default=0.0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.camera:
        run_camera(options.camera, options.fps, options.origin)
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        found = run(options, folder)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print_found(found)
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
