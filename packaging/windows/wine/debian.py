"""A root of Debian 13 with Wine 10 in a folder, and commands in it.

Wine 8 of Debian 12 does not start Windows' CPython (init_sys_streams).
"""

from __future__ import annotations

import hashlib
import math
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SUITE: Final = "trixie"
PACKAGES: Final = (
    "ca-certificates", "fonts-dejavu-core", "gcc-mingw-w64-x86-64-win32", "imagemagick", "mesa-vulkan-drivers",
    "python3", "wine", "wine64", "xdotool", "xvfb",
)  # fmt: skip
# Inno Setup's compiler and what it makes are programs of 32 bits.
PACKAGES_32: Final = ("wine32:i386",)
DISPLAY: Final = ":7"

# Everything is mounted in a namespace of the command's own and goes with it; nothing of this machine can be
# changed through it but what is bound. At the end the processes that it began are ended with their namespace.
_SCRIPT: Final = """
set -e
root=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
while [ "$1" != -- ]; do
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    if [ "$3" = ro ]; then mount -o remount,bind,ro "$root$2"; fi
    shift 3
done
shift
exec chroot "$root" "$@"
"""
# The shell stays, as the first process of its namespace: it takes note of the end of those that others began.
_ON_A_SCREEN: Final = """
Xvfb "$DISPLAY" -screen 0 1600x1000x24 -nolisten tcp -nolisten local -noreset > /dev/null 2>&1 &
for _ in $(seq 300); do
    if [ -S "/tmp/.X11-unix/X${DISPLAY#:}" ]; then "$@"; exit $?; fi
    sleep 0.1
done
echo 'Xvfb did not start within 30 s.' >&2
exit 1
"""


class WineError(Exception):
    """The run cannot go on; the text is one sentence."""


@dataclass(frozen=True)
class Bound:
    """A folder of this machine that commands in the root see.

    Attributes:
        source: the folder here.
        target: its path in the root.
        read_only: commands cannot change it.
    """

    source: Path
    target: str
    read_only: bool = False


@dataclass(frozen=True)
class Root:
    """The root in a folder.

    Attributes:
        folder: where it is.
        bound: folders of this machine that commands see.
    """

    folder: Path
    bound: Sequence[Bound] = field(default_factory=tuple)

    def command(self, arguments: Sequence[str], variables: Mapping[str, str] | None = None) -> list[str]:
        """Return the command that runs `arguments` in the root, on a screen of its own where DISPLAY is set,
        with `variables` and nothing of this process's environment.
        """
        values = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            **(variables or {}),
        }
        clean = ["env", "-i", *(f"{name}={value}" for name, value in values.items())]
        space = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        places = [part for each in self.bound for part in self._binding(each)]
        screen = ["sh", "-c", _ON_A_SCREEN, "sh"] if "DISPLAY" in values else []
        return [
            *clean,
            *space,
            "sh",
            "-c",
            _SCRIPT,
            "sh",
            str(self.folder),
            *places,
            "--",
            *screen,
            *arguments,
        ]

    def _binding(self, bound: Bound) -> list[str]:
        return [str(bound.source), bound.target, "ro" if bound.read_only else "rw"]

    def run(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str] | None = None,
        *,
        limit_s: float = 600,
        silence_s: float = math.inf,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end and return its status and what it said.

        Args:
            arguments: the command.
            variables: its environment, beside the root's own.
            limit_s: the longest that it may take.
            silence_s: the longest that it may print nothing.

        Raises:
            subprocess.TimeoutExpired: it took longer, or was silent for longer; it was ended.
        """
        command = self.command(arguments, variables)
        end, said = time.monotonic() + limit_s, bytearray()
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            try:
                assert process.stdout is not None
                while True:
                    rest = max(0.0, end - time.monotonic())
                    if not select.select([process.stdout], [], [], min(rest, silence_s))[0]:
                        raise _late(command, limit_s, silence_s, rest, said)
                    part = os.read(process.stdout.fileno(), 1 << 16)
                    if not part:
                        break
                    said += part
                rest = max(0.0, end - time.monotonic())
                try:
                    process.wait(min(rest, silence_s))
                except subprocess.TimeoutExpired:  # it has closed its output, and stays
                    raise _late(command, limit_s, silence_s, rest, said) from None
            except BaseException:
                process.kill()
                raise
        text = said.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return subprocess.CompletedProcess(command, process.returncode, text)

    def must(
        self, arguments: Sequence[str], variables: Mapping[str, str] | None = None, *, limit_s: float = 600
    ) -> str:
        """Run a command to its end and return what it said.

        Raises:
            WineError: it failed, or took longer.
        """
        try:
            done = self.run(arguments, variables, limit_s=limit_s)
        except subprocess.TimeoutExpired:
            raise WineError(
                f"'{' '.join(arguments[:4])}' took longer than {limit_s:.0f} s; run it again."
            ) from None
        if done.returncode:
            raise WineError(
                f"'{' '.join(arguments[:4])}' failed in the root {self.folder} (exit status {done.returncode}): "
                f"{done.stdout.strip()[-600:]}; delete that folder to have it made anew."
            )
        return done.stdout


def _late(
    command: Sequence[str], limit_s: float, silence_s: float, rest: float, said: bytearray
) -> subprocess.TimeoutExpired:
    """Return the error for the limit that was reached first, with what the command said."""
    return subprocess.TimeoutExpired(command, limit_s if rest <= silence_s else silence_s, bytes(said))


def refusal() -> str:
    """Say why no root can be made here, or return ''."""
    if not sys.platform.startswith("linux"):
        return "Wine's root is a Debian in a folder, which needs Linux; run this on Linux."
    if os.geteuid() != 0:
        return (
            "Only root may make and enter the root that Wine is in (debootstrap, chroot); "
            "run it as root, for example in a container or with sudo."
        )
    missing = [name for name in ("debootstrap", "unshare", "chroot") if shutil.which(name) is None]
    if missing:
        return f"These programs are missing: {', '.join(missing)}; install the packages debootstrap and util-linux."
    return ""


def digest(*parts: str | bytes) -> str:
    """Return ten letters that differ where a part differs."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "big") + data)
    return hashed.hexdigest()[:10]


def make_root(cache: Path) -> Root:
    """Make the root below `cache`, or take the one that is there.

    Raises:
        WineError: debootstrap failed.
    """
    folder = cache / f"debian-{digest(SUITE, *PACKAGES, *PACKAGES_32)}"
    if not folder.exists():
        half = cache / f"{folder.name}.part"
        shutil.rmtree(half, ignore_errors=True)
        half.parent.mkdir(parents=True, exist_ok=True)
        print(f"-- Making a root of Debian {SUITE} with Wine (some minutes the first time)", flush=True)
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE, str(half)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise WineError(
                f"debootstrap failed (exit status {done.returncode}): {done.stdout.strip()[-600:]}; "
                "check the network connection and run it again."
            )
        _add_32_bit(Root(half))
        half.rename(folder)
    return Root(folder)


def _add_32_bit(root: Root) -> None:
    """Add Wine's part for programs of 32 bits; with it the prefix is another one, so that it is there from the
    start.

    Raises:
        WineError: apt-get failed.
    """
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    root.must(["dpkg", "--add-architecture", "i386"])
    root.must(["apt-get", "-q", "update"], quiet)
    root.must(
        ["apt-get", "-q", "-y", "--no-install-recommends", "install", *PACKAGES_32], quiet, limit_s=1200
    )
    root.must(["apt-get", "clean"])
