"""Compile desktop/compute/gpu/native/record.c, which records GPU commands in half of the time that Python takes,
by the C compiler of a Linux system of 64 bits.

Only the standard library is used: hatchling imports this file where nothing else is installed. Where there is
no compiler, and on other systems, nothing is compiled and Python records.
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).resolve().parent.parent / "desktop" / "compute" / "gpu" / "native" / "record.c"
NAME: Final = "record.so"
_COMPILERS: Final = ("cc", "gcc", "clang")
# It calls nothing, so that it needs no version of a C library.
_OPTIONS: Final = ("-O2", "-shared", "-fPIC", "-nostdlib", "-fno-stack-protector", "-Wall", "-Werror", "-s")
_LIMIT_S: Final = 20.0


def compile_stale(source: Path = SOURCE, folder: Path | None = None) -> Path | None:
    """Return the library of a source in `folder` (default: beside it), compiled if it is missing, older, of another
    version or of another processor; None where this system has no compiler, or compiling fails, which is then
    said on standard error.
    """
    target = (folder or source.parent) / NAME
    if _is_current(target, source):
        return target
    compiler = find_compiler()
    if compiler is None:
        return None
    try:
        with tempfile.TemporaryDirectory(prefix=f"{NAME}-", dir=target.parent) as made:
            problem = _compile(compiler, source, Path(made, NAME))
            if not problem:
                Path(made, NAME).replace(target)
    except OSError as error:  # the folder may not be written to
        problem = str(error)
    if problem:
        print(f"{source.name} was not compiled, so Python records GPU commands: {problem}", file=sys.stderr)
        return None
    return target


def _is_current(target: Path, source: Path) -> bool:
    """Return True if a library is newer than its source and can be used."""
    return target.exists() and target.stat().st_mtime >= source.stat().st_mtime and _is_usable(target)


def _is_usable(target: Path) -> bool:
    """Return True if the program would use a library: by its own module, which needs nothing that is installed."""
    found = importlib.util.spec_from_file_location("compiled", SOURCE.with_name("compiled.py"))
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.load_loop(target) is not None


def _compile(compiler: str, source: Path, target: Path) -> str:
    """Compile; return why it failed, or ''."""
    command = [compiler, *_OPTIONS, "-o", str(target), str(source)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode:
        return done.stderr.strip() or f"{compiler} ended with status {done.returncode}"
    return "" if _is_usable(target) else f"{compiler} made no library that can be loaded"


def find_compiler() -> str | None:
    """Return the path of the C compiler that the recorder is compiled with; None if there is none, or no need."""
    if not sys.platform.startswith("linux") or sys.maxsize < 1 << 32:
        return None
    return next((found for name in _COMPILERS if (found := shutil.which(name))), None)


def wheel_tag() -> str | None:
    """Return the tag of a wheel that holds the library, any Python 3 on this processor's Linux; None where wheels
    of such a tag cannot be installed.
    """
    if platform.libc_ver()[0] != "glibc":
        return None
    return f"py3-none-manylinux_2_17_{platform.machine()}"


if __name__ == "__main__":
    made = compile_stale()
    print(made or "Nothing was compiled: this system has no C compiler, or compiling failed.")
    sys.exit(0 if made else 1)
