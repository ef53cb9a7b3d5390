"""Compile desktop/compute/gpu/native/record.c, which records GPU commands in a third of the time that Python
takes, by the C compiler of a Linux system.

Only the standard library is used: hatchling imports this file where nothing else is installed. Where there is
no compiler, and on other systems, nothing is compiled and Python records.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).resolve().parent.parent / "desktop" / "compute" / "gpu" / "native" / "record.c"
NAME: Final = "record.so"
_COMPILERS: Final = ("cc", "gcc", "clang")
# It calls nothing, so that it needs no version of a C library.
_OPTIONS: Final = ("-O2", "-shared", "-fPIC", "-nostdlib", "-fno-stack-protector", "-Wall", "-Werror", "-s")
_LIMIT_S: Final = 60.0


def compile_stale(source: Path = SOURCE, folder: Path | None = None) -> Path | None:
    """Return the library of a source in `folder` (default: beside it), compiled if it is missing or older;
    None where this system has no compiler or the compiler fails, which is then said on standard error.
    """
    target = (folder or source.parent) / NAME
    if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
        return target
    compiler = _compiler()
    if compiler is None:
        return None
    partial = target.with_name(f"{NAME}.{os.getpid()}")
    command = [compiler, *_OPTIONS, "-o", str(partial), str(source)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT_S)
        problem = done.stderr.strip() if done.returncode else ""
        if not problem:
            partial.replace(target)
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    partial.unlink(missing_ok=True)
    if problem:
        print(f"{source.name} was not compiled, so Python records GPU commands: {problem}", file=sys.stderr)
        return None
    return target


def _compiler() -> str | None:
    if not sys.platform.startswith("linux"):
        return None
    return next((found for name in _COMPILERS if (found := shutil.which(name))), None)


def wheel_tag() -> str:
    """Return the tag of a wheel that holds the library: any Python 3 on this processor's Linux."""
    return f"py3-none-manylinux_2_17_{platform.machine()}"


if __name__ == "__main__":
    sys.exit(0 if compile_stale() else 1)
