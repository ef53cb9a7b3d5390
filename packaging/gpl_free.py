"""Keeps x264 and x265 out of the bundles.

PyAV's wheels carry both. They are under the GPL, FFmpeg links them, and a program that carries them can only
be passed on under the GPL as a whole, while Lightloom is under the MIT licence and is to be passed on under
it. (FFmpeg in these wheels calls itself "LGPL version 3 or later": its configure script was patched for that,
the libraries are what they are.)

So each is replaced by a library of the same name and with the same symbols, made here, in which every
function refuses: FFmpeg loads, opening one of the two encoders fails with an error, and
`desktop.outputs.recording` takes the next encoder. Decoders are FFmpeg's own. Building FFmpeg anew was
rejected (half an hour for each system and run), and so was cutting the names out of the binary: a call would
then end the process.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LIBRARY: Final = re.compile(r"lib(x264|x265)\b.*\.(so[.\d]*|dylib|dll)")
# Words that only the true libraries contain; a test looks for them in the finished bundle.
SIGNATURES: Final = (b"H.264/MPEG-4 AVC codec - Copy", b"HEVC encoder version %s")

# FFmpeg walks this table until a zero.
_DATA: Final = frozenset({"x264_levels"})

_HEAD: Final = """/* Stands in for {name}, which is under the GPL: every function refuses, see packaging/gpl_free.py. */
static void *refuse(void) {{ return 0; }}
/* x265_api: numbers, then functions, all of which FFmpeg calls through it; 128 pointers are more than it has. */
static void *const api[128] = {{ {entries} }};
"""


class StubError(Exception):
    """The stand-in cannot be made."""


def symbols(user: Path, prefix: str) -> list[str]:
    """Return the names beginning with `prefix` that the library `user` takes from another one.

    Raises:
        StubError: they cannot be listed.
    """
    if sys.platform == "win32":
        import pefile  # comes with PyInstaller on Windows

        with pefile.PE(str(user)) as image:
            imported = [
                entry.name.decode()
                for library in getattr(image, "DIRECTORY_ENTRY_IMPORT", [])
                for entry in library.imports
                if entry.name
            ]
        return sorted(name for name in imported if name.startswith(prefix))
    options = ["-u"] if sys.platform == "darwin" else ["-D", "--undefined-only"]
    names = [line.split()[-1] for line in _run(["nm", *options, str(user)]).splitlines() if line.strip()]
    # Mach-O has an underscore before every name of C.
    names = [name.removeprefix("_") if sys.platform == "darwin" else name for name in names]
    return sorted(name for name in names if name.startswith(prefix))


def source(name: str, wanted: Iterable[str]) -> str:
    """Return the C source of the stand-in for the library called `name` with the symbols `wanted`."""
    lines = [_HEAD.format(name=name, entries=", ".join(["(void *)refuse"] * 128))]
    for symbol in wanted:
        if symbol in _DATA:
            lines.append(f"const char {symbol}[4096] = {{ 0 }};")
        elif symbol.startswith("x265_api_get"):
            lines.append(f"const void *{symbol}(void) {{ return api; }}")
        else:
            lines.append(f"void *{symbol}(void) {{ return refuse(); }}")
    return "\n".join(lines) + "\n"


def stand_in(library: Path, users: Iterable[Path], folder: Path) -> Path:
    """Build the stand-in for `library` in `folder`.

    Args:
        library: libx264 or libx265 of a wheel.
        users: the libraries beside it, of which libavcodec uses it.
        folder: where it is written, under the same name.

    Returns:
        its path.

    Raises:
        StubError: there is no C compiler, it failed, or nothing uses the library.
    """
    found = LIBRARY.fullmatch(library.name)
    assert found is not None
    wanted = sorted({symbol for user in users for symbol in symbols(user, f"{found[1]}_")})
    if not wanted:
        raise StubError(
            f"Nothing beside {library} uses it; packaging/gpl_free.py no longer fits PyAV's wheels."
        )
    folder.mkdir(parents=True, exist_ok=True)
    code = folder / f"{found[1]}.c"
    code.write_text(source(library.name, wanted), encoding="ascii")
    target = folder / library.name
    _run([*_compiler(), *_options(library), "-O1", "-o", str(target), str(code)])
    return target


def _options(library: Path) -> list[str]:
    if sys.platform == "win32":
        return ["-shared", "-s"]
    if sys.platform == "darwin":
        # A version above any that FFmpeg may ask for; PyInstaller rewrites the install name to the bundle's
        # place.
        versions = ["-compatibility_version", "9999", "-current_version", "9999"]
        return [
            "-dynamiclib",
            "-install_name",
            f"@loader_path/{library.name}",
            *versions,
            "-mmacosx-version-min=11.0",
        ]
    return ["-shared", "-fPIC", "-s", "-nostdlib", f"-Wl,-soname,{library.name}"]


def _compiler() -> list[str]:
    if chosen := os.environ.get("CC"):
        return chosen.split()
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise StubError("There is no C compiler; install one (Debian, Ubuntu: apt install gcc) or name it in CC.")


def _run(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise StubError(f"There is no program '{command[0]}'; install binutils and a C compiler.") from None
    except subprocess.CalledProcessError as error:
        raise StubError(f"{' '.join(command)} failed: {error.stderr.strip()}") from None
