"""The main commands and the window on Wine, each with what it must show."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from session import OUT, Session
from windows_python import PROGRAM

# A start of the program takes some ten seconds on two slow cores, and minutes where twenty programs share them.
LIMIT_S: Final = 600
PICTURE: Final = r"Z:\srv\out\process.png"
TABLE: Final = r"Z:\srv\out\analyze.jsonl"
SAMPLE: Final = "sample:320x180@30"


@dataclass(frozen=True)
class Outcome:
    """How one check ended.

    Attributes:
        name: of the check.
        fault: one sentence, '' if there is none.
        seconds: it took.
    """

    name: str
    fault: str
    seconds: float


@dataclass(frozen=True)
class Command:
    """A command line and what shows that it worked.

    Attributes:
        name: of the check.
        arguments: of `lightloom`.
        says: a pattern that its output must have.
        writes: the file in the folder for results that it must write, '' for none.
    """

    name: str
    arguments: Sequence[str]
    says: str
    writes: str = ""


COMMANDS: Final = (
    Command("doctor", ["doctor"], r"ok\s+Compute: "),
    Command(
        "process",
        ["process", SAMPLE, "--filter", "sepia", "--max-frames", "1", "-o", PICTURE],
        "",
        "process.png",
    ),
    Command("classify", ["classify", "--max-frames", "1", SAMPLE], r"balloon"),
    Command("detect", ["detect", "--max-frames", "2", SAMPLE], r"% +person "),
    Command(
        "analyze",
        ["analyze", "--model", "detector", "--max-frames", "3", "-o", TABLE, SAMPLE],
        "",
        "analyze.jsonl",
    ),
)

# The window has no manager here: it gets the focus by hand.
_WINDOW: Final = """
cd /srv/lightloom
wine "$0" -m desktop sample:640x360@30 > "$1/window.txt" 2>&1 &
program=$!
for _ in $(seq 240); do
    window=$(xdotool search --onlyvisible --name Lightloom 2> /dev/null | head -n 1)
    if [ -n "$window" ]; then break; fi
    if ! kill -0 "$program" 2> /dev/null; then break; fi
    sleep 0.5
done
if [ -z "$window" ]; then cat "$1/window.txt"; echo 'No window appeared.'; exit 1; fi
sleep "$2"
import -window root "$1/window.png"
xdotool windowfocus "$window" key ctrl+q
for _ in $(seq 120); do
    if ! kill -0 "$program" 2> /dev/null; then break; fi
    sleep 0.5
done
if kill -0 "$program" 2> /dev/null; then cat "$1/window.txt"; echo 'The window did not close.'; exit 1; fi
wait "$program"
status=$?
cat "$1/window.txt"
exit "$status"
"""
# Until a video plays and the panels have their figures.
SHOWN_S: Final = 25


def timed(name: str, check: Callable[[], str]) -> Outcome:
    """Run a check, which returns its fault or '', and take its time; too long a time is a fault too."""
    begin = time.monotonic()
    try:
        fault = check()
    except subprocess.TimeoutExpired as late:
        fault = f"It took longer than {late.timeout:.0f} s and was ended."
    outcome = Outcome(name, fault, time.monotonic() - begin)
    print(f"{'FAILED' if fault else 'ok':<7} {name:<12} {outcome.seconds:6.1f} s  {fault}", flush=True)
    return outcome


def check_command(session: Session, command: Command) -> str:
    """Run a command; return what was wrong, or ''."""
    done = session.python(["-m", "desktop", *command.arguments], limit_s=LIMIT_S)
    if done.returncode:
        return f"Exit status {done.returncode}: {done.stdout.strip()[-800:]}"
    if not re.search(command.says, done.stdout):
        return f"Its output has no '{command.says}': {done.stdout.strip()[-800:]}"
    if command.writes and not _has_bytes(session.out / command.writes):
        return f"It wrote no {command.writes}: {done.stdout.strip()[-800:]}"
    return ""


def check_window(session: Session) -> str:
    """Open the window with the sample, take a screenshot and close it; return what was wrong, or ''."""
    done = session.root.run(
        ["sh", "-c", _WINDOW, PROGRAM, OUT, str(SHOWN_S)], session.variables(), limit_s=LIMIT_S
    )
    if done.returncode:
        return f"Exit status {done.returncode}: {done.stdout.strip()[-800:]}"
    return "" if _has_bytes(session.out / "window.png") else "There is no screenshot."


def _has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def run_commands(session: Session) -> list[Outcome]:
    """Run the main commands and the window, each in sight."""
    outcomes = [
        timed(command.name, lambda command=command: check_command(session, command)) for command in COMMANDS
    ]
    return [*outcomes, timed("window", lambda: check_window(session))]
