"""Take the screenshots of the documents: `python packaging/screenshots.py [NAME...]`.

Needs Linux with Xvfb, xdotool and ImageMagick (Debian: xvfb, xdotool, imagemagick). Each screenshot is one of a
window of its own with the settings of a new user, in dark colors, with two pixels for each point. It is taken of
a paused frame, so that a slow machine has the time for all thumbnails, and becomes docs/screenshots/<name>.webp at
the best quality that fits into 250 KB.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DENSITY: Final = 2
SIZE: Final = (1320, 820)
"""Width and height of the window in points."""
MOST_BYTES: Final = 250_000
_QUALITIES: Final = (90, 84, 78, 72, 66, 60)
_SETTINGS: Final = "[General]\ntheme=dark\n\n[help]\nhinted={hinted}\n"


@dataclass(frozen=True)
class Shot:
    """A screenshot: arguments of `lightloom`, and what it needs to have."""

    arguments: tuple[str, ...] = ()
    shows_hint: bool = False


SHOTS: Final = {
    "detection": Shot(("assets/models/detector.onnx",)),
    "style": Shot(("--look", "great_wave")),
    "filter": Shot(("--look", "neon_lines")),
    "painting": Shot(("--look", "starry_night")),
    "playing": Shot(shows_hint=True),
}
"""By name, in this order: the library's thumbnails are complete in the later ones."""


def environment(home: Path, display: str) -> dict[str, str]:
    """Return the variables of a window on a display whose settings, caches and libraries lie in a folder."""
    places = {"XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data"}
    return {
        **os.environ,
        **{name: str(home / folder) for name, folder in places.items()},
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "DISPLAY": display,
        "QT_SCALE_FACTOR": str(DENSITY),
        "PYTHONPATH": str(ROOT),
    }


def begin_settings(home: Path, shot: Shot) -> None:
    """Replace the settings that the window before left; caches stay."""
    folder = home / "config"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lightloom").mkdir(parents=True)
    text = _SETTINGS.format(hinted="false" if shot.shows_hint else "true")
    (folder / "lightloom" / "settings.ini").write_text(text, "utf-8")


def grab(arguments: Sequence[str], variables: dict[str, str], seconds: float, target: Path) -> None:
    """Open a window of the display's size, let it play and be paused for some seconds each, and save the display
    as PNG.
    """

    def run(*command: str) -> str:
        done = subprocess.run(
            command, env=variables, stdout=subprocess.PIPE, text=True, timeout=300, check=True
        )
        return done.stdout

    program = subprocess.Popen([sys.executable, "-m", "desktop", *arguments], cwd=ROOT, env=variables)
    try:
        window = run("xdotool", "search", "--sync", "--onlyvisible", "--name", "Lightloom").split()[0]
        width, height = (str(DENSITY * n) for n in SIZE)
        run("xdotool", "windowmove", window, "0", "0", "windowsize", window, width, height)
        run("xdotool", "mousemove", "0", str(DENSITY * SIZE[1] - 1))
        time.sleep(seconds)
        run("xdotool", "windowfocus", "--sync", window, "key", "space")
        time.sleep(seconds)
        run("import", "-window", "root", str(target))
    finally:
        program.terminate()
        program.wait(120)


def compress(source: Path, target: Path) -> None:
    """Write an image as WebP at the best quality that fits."""
    for quality in _QUALITIES:
        settings = ["-quality", str(quality), "-define", "webp:method=5", "-define", "webp:use-sharp-yuv=1"]
        subprocess.run(["convert", str(source), "-strip", *settings, str(target)], timeout=300, check=True)
        if target.stat().st_size <= MOST_BYTES:
            return
    sys.exit(
        f"{target.name} has more than {MOST_BYTES} bytes at the lowest quality; take it at another moment."
    )


def main() -> int:
    """Take the screenshots named, all without a name; exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SHOTS))
    parser.add_argument("--seconds", type=float, default=20.0, help="of play, then of pause (default: 20)")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    options = parser.parse_args()
    names = options.names or list(SHOTS)
    if unknown := sorted(set(names) - set(SHOTS)):
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(SHOTS)}")
    screen = f"{DENSITY * SIZE[0]}x{DENSITY * SIZE[1]}x24"
    server = ["Xvfb", "-displayfd", "1", "-noreset", "-screen", "0", screen]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as display,
    ):
        assert display.stdout is not None
        home, number = Path(folder), display.stdout.readline().strip()  # written once it can be used
        try:
            for name in names:
                shot = SHOTS[name]
                begin_settings(home, shot)
                variables = environment(home, f":{number}")
                grab(shot.arguments, variables, options.seconds, home / "raw.png")
                compress(home / "raw.png", options.out / f"{name}.webp")
                print(options.out / f"{name}.webp", flush=True)
        finally:
            display.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
