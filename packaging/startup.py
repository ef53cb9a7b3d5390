"""Compares the time to the first frame of a bundle with that of the run from source.

    python packaging/startup.py PROGRAM [--runs 5]

To be run with the Python of `.venv`, with a display. Both open the window on the sample, in turn, after one
run of each that counts for nothing: it fills the caches of the system and of the drivers. The exit status is
1 if the bundle's median is more than 1.3 times the other.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from smoke import Program, try_window

ROOT: Final = Path(__file__).resolve().parents[1]
LIMIT: Final = 1.3


def main(arguments: Sequence[str]) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Compare a bundle's start with that from source.")
    parser.add_argument("program", help="the bundle's program")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args(arguments)
    os.environ["LIGHTLOOM_STARTUP_TRACE"] = "1"
    os.chdir(ROOT)
    commands = {"source": [sys.executable, "-P", "-m", "desktop"], "bundle": [options.program]}
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(options.runs + 1):
        for name, command in commands.items():
            taken = try_window(Program(command, Path.cwd(), "."))
            if number:
                seconds[name].append(taken)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    for name, values in seconds.items():
        print(f"{name}: {medians[name]:.2f} s (of {', '.join(f'{value:.2f}' for value in sorted(values))})")
    ratio = medians["bundle"] / medians["source"]
    print(f"bundle / source: {ratio:.2f} (limit {LIMIT})")
    return 1 if ratio > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
