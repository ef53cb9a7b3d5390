"""The C compiler of Windows' builds under Wine: hands its arguments to mingw outside, which `serve` runs, and ends
with its status. Set CC to this file and its Python.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

COMPILER: Final = "x86_64-w64-mingw32-gcc"
LONGEST_S: Final = 120
_REQUEST, _ANSWER = "request.json", "answer.json"


def native(argument: str) -> str:
    """Return the root's path for one of drive Z; other arguments as they are."""
    return argument[2:].replace("\\", "/") if argument[:3].upper() == "Z:\\" else argument


def ask(folder: Path, arguments: list[str]) -> int:
    """Have `serve` run the compiler; return its exit status, 1 if nobody answers."""
    answer = folder / _ANSWER
    answer.unlink(missing_ok=True)
    _put(folder / _REQUEST, [native(argument) for argument in arguments])
    end = time.monotonic() + LONGEST_S
    while not answer.exists():
        if time.monotonic() > end:
            print(f"Nobody compiles what {folder} asks for; start relay_compiler.py there.", file=sys.stderr)
            return 1
        time.sleep(0.1)
    status, text = json.loads(answer.read_text(encoding="utf-8"))
    print(text, file=sys.stderr)
    return int(status)


def serve(folder: Path) -> None:
    """Run the compiler for each request in a folder, until this process is ended."""
    request = folder / _REQUEST
    while True:
        if request.exists():
            arguments = json.loads(request.read_text(encoding="utf-8"))
            request.unlink()
            done = subprocess.run([COMPILER, *arguments], capture_output=True, text=True, check=False)
            _put(folder / _ANSWER, [done.returncode, done.stderr])
        time.sleep(0.1)


def _put(path: Path, document: list[object]) -> None:
    part = path.with_suffix(".part")
    part.write_text(json.dumps(document), encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    place = Path(__file__).resolve().parent
    if sys.argv[1:] == ["--serve"]:
        serve(place)
    sys.exit(ask(place, sys.argv[1:]))
