"""A Wine prefix, a copy of the checkout and a folder for results, and programs of Windows run with them."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from debian import DISPLAY, Bound, Root, digest
from windows_python import CHECKOUT, PLACE, PROGRAM

# A program that crashes ends instead of waiting for a debugger. The stand-ins beside python.exe come before Wine's
# mscms, which lacks what Qt calls, and before its Direct3D 12, which makes no device.
OVERRIDES: Final = "mscoree=;mshtml=;winedbg.exe=;mscms=n;d3d12=n"
OUT: Final = "/srv/out"
PREFIX: Final = "/srv/prefix"
_WITH_OTHERS: Final = """
cd "$0" || exit 1
wine "$@"
status=$?
wineserver --wait
exit "$status"
"""


@dataclass(frozen=True)
class Session:
    """What a run works with.

    Attributes:
        root: Debian with Wine, with the folders below bound.
        work: the folder of this machine that holds all of it.
    """

    root: Root
    work: Path

    @property
    def out(self) -> Path:
        """The folder for results, which is Z:\\srv\\out for Windows' programs."""
        return self.work / "out"

    def variables(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of Wine's programs."""
        return {
            "DISPLAY": DISPLAY,
            "WINEPREFIX": PREFIX,
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": OVERRIDES,
            # A Vulkan surface below another window needs a window manager.
            "LIGHTLOOM_PRESENT": "bitmap",
            "LIGHTLOOM_CONFIG": r"Z:\srv\out\config",
            "LIGHTLOOM_SHARED": r"Z:\srv\shared",
            "LIGHTLOOM_NO_APT": "1",
            **(more or {}),
        }

    def wine(
        self,
        arguments: Sequence[str],
        *,
        limit_s: float,
        silence_s: float = math.inf,
        more: Mapping[str, str] | None = None,
        folder: str = "",
        with_others: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of Windows to its end.

        Args:
            arguments: the program and its arguments, with Windows' paths.
            limit_s: the longest that it may take; it is ended then.
            silence_s: the longest that it may print nothing; it is ended then.
            more: further environment variables.
            folder: the working directory, a path of the root; by default the copy of the checkout.
            with_others: wait for the processes that it leaves behind too, and for Wine's server, which writes the
                registry to files when it ends.

        Raises:
            subprocess.TimeoutExpired: it took longer, or was silent for longer.
        """
        script = _WITH_OTHERS if with_others else 'cd "$0" && exec wine "$@"'
        command = ["sh", "-c", script, folder or "/srv/lightloom", *arguments]
        return self.root.run(command, self.variables(more), limit_s=limit_s, silence_s=silence_s)

    def python(
        self,
        arguments: Sequence[str],
        *,
        limit_s: float,
        silence_s: float = math.inf,
        more: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run Windows' Python in the copy of the checkout; see `wine`."""
        return self.wine([PROGRAM, *arguments], limit_s=limit_s, silence_s=silence_s, more=more)


def begin(
    cache: Path, root: Root, python: Path, shared: Path | None, more: Sequence[Bound] = (), *, keep: str = ""
) -> Session:
    """Copy the checkout and make a Wine prefix where there is none yet.

    Args:
        cache: holds prefix, copy and results.
        root: Debian with Wine.
        python: the folder of python.exe.
        shared: the folder of real models and clips, which tests may read; None where there is none.
        more: further folders that commands see.
        keep: a folder of the last copy that stays, '' for none.

    Raises:
        WineError: Wine made no prefix.
    """
    work = cache / f"work-{digest(root.folder.name, python.name)}"
    copy, out, prefix = work / "lightloom", work / "out", work / "prefix"
    kept = work / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    if keep and (copy / keep).exists():
        (copy / keep).rename(kept)
    for folder in (copy, out):
        shutil.rmtree(folder, ignore_errors=True)
    out.mkdir(parents=True)
    copy_checkout(copy)
    if kept.exists():
        kept.rename(copy / keep)
    prefix.mkdir(exist_ok=True)
    bound = [
        Bound(python, PLACE),
        Bound(copy, "/srv/lightloom"),
        Bound(out, OUT),
        Bound(prefix, PREFIX),
        *more,
    ]
    if shared is not None:
        bound.append(Bound(shared, "/srv/shared", read_only=True))
    session = Session(Root(root.folder, tuple(bound)), work)
    session.root.run(
        ["python3", "-m", "compileall", "-q", "/srv/lightloom/desktop", "/srv/lightloom/lightloom"]
    )
    if not (prefix / "system.reg").exists():
        print("-- Making a Wine prefix", flush=True)
        session.root.must(["sh", "-c", "wineboot --init && wineserver --kill"], session.variables())
    return session


def parallel_session(session: Session, number: int) -> Session:
    """Return a session that can run at the same time as `session`: with a Wine prefix and a folder for results
    of its own, since a prefix has one server and every command has a namespace of processes.

    Args:
        session: the first one, in which nothing runs now.
        number: which of those beside it.
    """
    work = session.work / f"beside-{number}"
    shutil.rmtree(work, ignore_errors=True)
    out, prefix = work / "out", work / "prefix"
    out.mkdir(parents=True)
    # `cp` keeps the prefix's links, and shares blocks where the file system can.
    copy = ["cp", "--archive", "--reflink=auto", str(session.work / "prefix"), str(prefix)]
    subprocess.run(copy, check=True)
    own = {OUT: out, PREFIX: prefix}
    bound = [replace(each, source=own.get(each.target, each.source)) for each in session.root.bound]
    return Session(Root(session.root.folder, tuple(bound)), work)


def copy_checkout(target: Path) -> None:
    """Copy the checkout's files, tracked and new, without what git ignores."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=CHECKOUT, capture_output=True, check=True).stdout
    for name in filter(None, names.split(b"\0")):
        source = CHECKOUT / os.fsdecode(name)
        if source.is_file():
            (target / os.fsdecode(name)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / os.fsdecode(name))
