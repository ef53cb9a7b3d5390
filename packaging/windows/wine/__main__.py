"""Run Lightloom's Windows build under Wine: `python3 tasks.py wine` calls this.

    python packaging/windows/wine [--all] [--package [--reuse]] [--tests FILE...] [--jobs N]

Needs root on Linux, debootstrap and the network. What it makes is kept in build/wine, or in the folder that
LIGHTLOOM_WINE names: 4 GB.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Final

import commands
import debian
import installer
import session
import suite
import windows_python

CACHE: Final = windows_python.CHECKOUT / "build" / "wine"
# Files for one process; those of the short list are timed one by one.
FILES_PER_PROCESS: Final = 8
# Each copies a Wine prefix of 1.4 GB.
MOST_JOBS: Final = 16
SHARED: Final = windows_python.CHECKOUT.parent / "shared"


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="tasks.py wine", description="Run the Windows build under Wine.")
    parser.add_argument("--all", action="store_true", help="every test file that applies, not the short list")
    parser.add_argument(
        "--package", action="store_true", help="build, install, use and uninstall the installer"
    )
    parser.add_argument("--reuse", action="store_true", help="with --package: take the last run's bundle")
    parser.add_argument("--tests", nargs="+", metavar="FILE", help="only these test files")
    parser.add_argument(
        "--jobs",
        type=_job_count,
        default=1,
        metavar="N",
        help="test processes at a time, with --all or --tests of up to 8 files each (default: 1)",
    )
    return parser.parse_args(arguments)


def _job_count(text: str) -> int:
    if not 1 <= (number := int(text)) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"give 1 to {MOST_JOBS}")
    return number


def shared_folder() -> Path | None:
    """Return the folder of real models and clips, None where there is none."""
    folder = Path(os.environ.get("LIGHTLOOM_SHARED", SHARED))
    return folder if (folder / "manifest.json").exists() else None


def run(options: argparse.Namespace) -> int:
    """Run what the options say; return the exit status.

    Raises:
        WineError: it cannot be run.
    """
    if reason := debian.refusal():
        raise debian.WineError(reason)
    begin = time.monotonic()
    cache = Path(os.environ.get("LIGHTLOOM_WINE", CACHE)).resolve()
    root = debian.make_root(cache)
    if options.package:
        outcomes = installer.run_package(cache, root, reuse=options.reuse)
        failed = sum(bool(outcome.fault) for outcome in outcomes)
        print(f"{len(outcomes) - failed} passed, {failed} failed ({time.monotonic() - begin:.0f} s)")
        return 1 if failed else 0
    python = windows_python.make_python(cache, root, "dev")
    here = session.begin(cache, root, python, shared_folder())
    failed = 0
    if not options.tests:
        failed += sum(bool(outcome.fault) for outcome in commands.run_commands(here))
        print(f"-- screenshot: {here.out / 'window.png'}", flush=True)
    files = options.tests or suite.listed("short.txt")
    if options.all:
        files = suite.applicable(windows_python.CHECKOUT, suite.listed("left_out.txt"))
    others = [session.parallel_session(here, number) for number in range(1, options.jobs)]
    runs, verdict = suite.run_files(
        [here, *others], files, FILES_PER_PROCESS if options.all or options.tests else 1
    )
    print(f"-- table: {here.out / suite.TABLE}", flush=True)
    for name in verdict.passing:
        print(f"-- {name} passes now; remove it from failures.txt", flush=True)
    failed += len(verdict.unexpected) + len(verdict.passing)
    passed = sum(len(each.passed) for each in runs)
    expected = sum(len(each.failed) for each in runs) - len(verdict.unexpected)
    print(
        f"{passed} passed, {failed} failed ({expected} more fail by Wine, see failures.txt; {time.monotonic() - begin:.0f} s)"
    )
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    """Run and return the exit status; what cannot be is one sentence."""
    try:
        return run(parse(arguments))
    except debian.WineError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
