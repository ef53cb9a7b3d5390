"""Tries an installed or bundled Lightloom from outside, as its users would: the command line, a network, the
window.

    python packaging/smoke.py [--window] [--folder F] -- PROGRAM [ARGUMENTS...]

PROGRAM may be any command in front of Lightloom's own arguments, such as `chroot ROOT lightloom`; then
--inside names the folder F as the program sees it. Needs `onnx` and `numpy` where it runs, not in what it
tries. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
VERSION: Final[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]
# A software adapter on a busy machine compiles shaders for a long time.
TIMEOUT: Final = 180
_COMPLAINT: Final = re.compile(r"\[[WEF]:onnxruntime|Traceback|cannot open shared object")


class SmokeError(Exception):
    """Something that should work does not; one sentence."""


class Program:
    """Program under test: its command line, and the folder that it shares with this script."""

    def __init__(self, command: Sequence[str], folder: Path, inside: str) -> None:
        """Take it down.

        Args:
            command: what to put before Lightloom's arguments.
            folder: an existing folder for the files of the trial.
            inside: the same folder as the program sees it.
        """
        self.command = list(command)
        self.folder = folder
        self._inside = inside.rstrip("/")

    def path(self, name: str) -> str:
        """Return the name of a file of the folder, as the program sees it."""
        return f"{self._inside}/{name}"

    def run(self, *arguments: str) -> str:
        """Run it and return what it printed to stdout.

        Raises:
            SmokeError: it failed, or took longer than TIMEOUT seconds.
        """
        try:
            done = subprocess.run(
                [*self.command, *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            raise SmokeError(f"'{' '.join(arguments)}' takes more than {TIMEOUT} s") from None
        if done.returncode:
            raise SmokeError(
                f"'{' '.join(arguments)}' ended with {done.returncode}: {(done.stderr or done.stdout).strip()}"
            )
        # Libraries that miss a part of theirs say so and go on.
        expect(
            not _COMPLAINT.search(done.stderr), f"'{' '.join(arguments)}' complains: {done.stderr.strip()}"
        )
        return done.stdout


def expect(holds: bool, sentence: str) -> None:
    """Raise SmokeError with the sentence unless `holds`."""
    if not holds:
        raise SmokeError(sentence)


def write_color_network(path: Path) -> None:
    """Write a classifier of three classes: whether red, green or blue is strongest in the mean over a 64 x 64
    picture.
    """
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
        helper.make_node("Conv", ["mean", "w"], ["scaled"]),
        helper.make_node("Flatten", ["scaled"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["y"], axis=1),
    ]
    weights = numpy_helper.from_array(8 * np.eye(3, dtype=np.float32)[..., None, None], "w")
    graph = helper.make_graph(
        nodes,
        "color",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 64, 64])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
        [weights],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def write_bitmap(path: Path, color: tuple[int, int, int], side: int = 64) -> None:
    """Write a picture of one color (R, G, B): a BMP file, which is a header and the pixels."""
    pixels = bytes(reversed(color)) * side * side
    header = struct.pack(
        "<2sIII IiiHHIIiiII",
        b"BM",
        54 + len(pixels),
        0,
        54,
        40,
        side,
        side,
        1,
        24,
        0,
        len(pixels),
        2835,
        2835,
        0,
        0,
    )
    path.write_bytes(header + pixels)


# -- trials --------------------------------------------------------------------------------------------------


def try_version(program: Program) -> str:
    """The version is that of pyproject.toml, and the commit is named."""
    line = program.run("--version").strip()
    expect(
        re.fullmatch(rf"lightloom {re.escape(VERSION)}( \(commit [0-9a-f]{{12}}\))?", line) is not None,
        f"--version says '{line}'",
    )
    return line


def try_devices(program: Program) -> str:
    """There is an adapter, and it is reported."""
    adapters = json.loads(program.run("devices", "--json"))
    expect(bool(adapters), "no adapter is found")
    return str(adapters[0]["name"])


def try_doctor(program: Program) -> str:
    """Nothing is missing; a kernel computes the right numbers."""
    findings = json.loads(program.run("doctor", "--json"))
    wrong = [f"{finding['what']}: {finding['detail']}" for finding in findings if not finding["ok"]]
    expect(not wrong, f"doctor finds {'; '.join(wrong)}")
    return f"{len(findings)} findings, all well"


def try_process(program: Program) -> str:
    """The sample goes through a filter into MP4 and WebM files with the right number of frames."""
    frames = 12
    for suffix, begin in ((".mp4", b"ftyp"), (".webm", b"\x1a\x45\xdf\xa3")):
        arguments = [
            "process",
            "sample:320x180@30",
            "-o",
            program.path(f"clip{suffix}"),
            "--filter",
            "vignette",
        ]
        program.run(*arguments, "--max-frames", str(frames), "--report", program.path("report.json"))
        report = json.loads((program.folder / "report.json").read_text(encoding="utf-8"))
        expect(report["frames"] == frames, f"{report['frames']} frames of {frames} were processed")
        expect(begin in (program.folder / f"clip{suffix}").read_bytes()[:12], f"clip{suffix} is none")
    # And what it wrote can be read again: a decoder, and pictures.
    program.run(
        "process", program.path("clip.mp4"), "-o", program.path("last.png"), "--max-frames", str(frames)
    )
    expect((program.folder / "last.png").read_bytes().startswith(b"\x89PNG"), "last.png is no PNG")
    return f"{frames} frames on {report['adapter']}"


def try_classify(program: Program) -> str:
    """A network names the color of pictures, on each backend."""
    write_color_network(program.folder / "color.onnx")
    names = ("red", "green", "blue")
    for index, name in enumerate(names):
        color = [40, 40, 40]
        color[index] = 220
        write_bitmap(program.folder / f"{name}.bmp", (color[0], color[1], color[2]))
    pictures = [program.path(f"{name}.bmp") for name in names]
    for backend in ("wgpu", "onnxruntime"):
        arguments = [
            "classify",
            *pictures,
            "--model",
            program.path("color.onnx"),
            "--backend",
            backend,
            "--top",
            "1",
            "--json",
        ]
        answer = json.loads(program.run(*arguments))
        found = [result["top"][0]["index"] for result in answer["results"]]
        expect(found == [0, 1, 2], f"red, green and blue pictures are classes {found} on {backend}")
    return "red, green and blue are told apart on wgpu and onnxruntime"


def try_window(program: Program, while_open: Callable[[], None] = lambda: None) -> float:
    """The window opens on the sample, draws it, and ends in order.

    Args:
        program: what is tried; its environment must have LIGHTLOOM_STARTUP_TRACE=1 and a display.
        while_open: called two seconds after the first frame.

    Returns:
        seconds from the process's start to the first frame, as it says.

    Raises:
        SmokeError: there was no picture in TIMEOUT seconds, or it did not end well.
    """
    process = subprocess.Popen(program.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    guard = threading.Timer(TIMEOUT, process.kill)
    guard.start()
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"first frame after (\d+) ms", line):
                time.sleep(2.0)
                while_open()
                expect(process.poll() is None, f"the window closed by itself: {''.join(said).strip()}")
                process.terminate()
                status = process.wait(60)
                # Windows knows no SIGTERM: terminate() ends the process with 1.
                expect(
                    status == (1 if sys.platform == "win32" else 0),
                    f"the window ended with {status}: {''.join(said)}",
                )
                return int(found.group(1)) / 1e3
    finally:
        guard.cancel()
        process.kill()
        process.wait()
    raise SmokeError(f"the window ended without a picture: {''.join(said).strip()}")


def try_bench(program: Program) -> str:
    """The benchmark encodes the sample, decodes it again and sends it through three filters."""
    report = json.loads(program.run("bench", "pipeline", "--size", "320x180", "--seconds", "1", "--json"))
    expect(report["frames"] > 0, "the benchmark had no frame")
    return f"{report['fps']} FPS at 320x180"


TRIALS: Final = {
    "version": try_version,
    "devices": try_devices,
    "doctor": try_doctor,
    "process": try_process,
    "classify": try_classify,
    "bench": try_bench,
}


def main(arguments: Sequence[str]) -> int:
    """Try the program; return the exit status."""
    parser = argparse.ArgumentParser(description="Try an installed Lightloom from outside.")
    parser.add_argument(
        "--window", action="store_true", help="open the window too (LIGHTLOOM_STARTUP_TRACE=1 must be set)"
    )
    parser.add_argument(
        "--folder", type=Path, help="where files of the trial go (default: a temporary folder)"
    )
    parser.add_argument("--inside", help="that folder as the program sees it")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="lightloom-smoke-") as temporary:
        folder = options.folder or Path(temporary)
        program = Program(options.program, folder, options.inside or folder.as_posix())
        failed = 0
        for name, trial in TRIALS.items():
            try:
                print(f"ok    {name}: {trial(program)}", flush=True)
            except SmokeError as error:
                print(f"FAIL  {name}: {error}", flush=True)
                failed += 1
        if options.window:
            try:
                print(f"ok    window: first frame after {try_window(program):.1f} s", flush=True)
            except SmokeError as error:
                print(f"FAIL  window: {error}", flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
