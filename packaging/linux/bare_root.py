"""Run the commands of the README from nothing: a bare Debian in a folder, a fresh clone in it, each command timed.

    sudo python3 packaging/linux/bare_root.py bookworm [--fast] [--folder FOLDER] [--keep]

The root gets what a reader needs to begin: git, Python and certificates. Everything else is for the commands to
install. The clone is of the last commit. Needs root on Debian, debootstrap and the network; about 4 GB in the
folder. The exit status is that of the first command that fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
# What the README presupposes.
BEGINNING: Final = ("git", "python3", "ca-certificates")
# How this machine reaches package registries: proxies, pip's options, and certificates of its own.
PASSED_ON: Final = re.compile(r"(?i)(https?|no)_proxy|PIP_\w+")
CARRIED: Final = (Path("/etc/pip.conf"), Path("/etc/ssl/certs/ca-certificates.crt"))
# debootstrap of Debian 12 writes none.
HOSTS: Final = "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
_BLOCK: Final = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)


class RootError(Exception):
    """A root cannot be made or used; one sentence."""


class BareRoot:
    """A minimal Debian in a folder.

    Attributes:
        folder: the root directory.
    """

    def __init__(self, folder: Path, suite: str, packages: Sequence[str] = ()) -> None:
        """Download a suite ("bookworm") with further packages into `folder`.

        Raises:
            RootError: debootstrap failed; its output has been shown.
        """
        self.folder = folder
        options = ["--variant=minbase", *([f"--include={','.join(packages)}"] if packages else [])]
        done = subprocess.run(
            ["debootstrap", *options, suite, str(folder)],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            print(done.stdout, file=sys.stderr)
            raise RootError(
                f"debootstrap failed for '{suite}' (exit status {done.returncode}); the lines above say why."
            )

    def command(self, *arguments: str | Path, **environment: str) -> list[str]:
        """Return the command that runs `arguments` in the root, with nothing of this process's environment.

        The mounts are in a namespace of the command's own: they go with it, and nothing of this machine can
        be deleted through them. The root is a mount of its own, as a machine's is; in another one `unshare`
        refuses to make a namespace. Every step replaces the one before (exec), so that a signal reaches the
        program.
        """
        mounts = ('mount --bind "$0" "$0"', 'mount -t proc proc "$0/proc"', 'mount --rbind /dev "$0/dev"')
        script = " && ".join([*mounts, 'exec chroot "$0" "$@"'])
        values = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **environment}
        clean = ["env", "-i", *(f"{name}={value}" for name, value in values.items())]
        return [*clean, "unshare", "--mount", "sh", "-c", script, str(self.folder), *map(str, arguments)]


def readme_commands(readme: str, *, fast: bool) -> list[str]:
    """Return the commands of the first block of the README, the tests' with `--fast` if asked for.

    Raises:
        RootError: there is no such block.
    """
    found = _BLOCK.search(readme)
    if found is None:
        raise RootError("README.md has no block of commands; write one between lines of three backquotes.")
    commands = found[1].splitlines()
    return [f"{text} --fast" if fast and text.endswith(" test") else text for text in commands]


def carry_network(root: BareRoot) -> dict[str, str]:
    """Give a root this machine's way to the package registries, and the name `localhost`, which an installed
    system has; return the variables that belong to it.
    """
    (root.folder / "etc" / "hosts").write_text(HOSTS)
    for path in CARRIED:
        if path.exists():
            shutil.copy(path, root.folder / path.relative_to("/"))
    return {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}


def try_readme(suite: str, folder: Path, *, fast: bool) -> int:
    """Make a root in `folder`, clone the checkout into it, run the README's commands; print the seconds of each.

    Returns the exit status of the first command that fails, 0 if none does.

    Raises:
        RootError: the root cannot be made, or the checkout has no commit.
    """
    begin = time.monotonic()
    root = BareRoot(folder, suite, BEGINNING)
    times = [(f"debootstrap {suite}", time.monotonic() - begin)]
    environment = carry_network(root)
    bundle = folder / "srv" / "lightloom.bundle"
    pack = ["git", "bundle", "create", "--quiet", str(bundle), "HEAD"]
    if status := subprocess.run(pack, check=False, cwd=CHECKOUT).returncode:
        raise RootError(
            f"git cannot pack {CHECKOUT} (exit status {status}); make it a checkout with a commit."
        )
    commands = ["git clone --quiet /srv/lightloom.bundle /srv/lightloom"]
    commands += readme_commands((CHECKOUT / "README.md").read_text(encoding="utf-8"), fast=fast)
    status = 0
    for text in commands:
        print(f"== {suite}: {text}", flush=True)
        begin = time.monotonic()
        place = "/srv/lightloom" if times[1:] else "/srv"
        script = f"cd {shlex.quote(place)} && exec {text}"
        status = subprocess.run(root.command("sh", "-c", script, **environment), check=False).returncode
        times.append((text, time.monotonic() - begin))
        if status:
            break
    print()
    for text, seconds in times:
        print(f"{seconds:8.1f} s  {text}")
    print(f"{suite}: {'ok' if status == 0 else f'FAILED (exit status {status}): {times[-1][0]}'}")
    return status


def missing_requirement() -> str:
    """Return why a root cannot be made here, '' if it can."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "root on Linux is needed, for chroot; use sudo"
    for program in ("debootstrap", "unshare"):
        if shutil.which(program) is None:
            return f"the program {program} is missing; install it"
    return ""


def main(arguments: Sequence[str]) -> int:
    """Try the README on a bare Debian; return the exit status."""
    parser = argparse.ArgumentParser(description="Run the README's commands on a bare Debian, and time them.")
    parser.add_argument("suite", help="Debian's name of a release: bookworm (12), trixie (13)")
    parser.add_argument("--fast", action="store_true", help="three minutes of the tests instead of all")
    parser.add_argument("--folder", type=Path, default=None, help="where to make the root (default: /tmp)")
    parser.add_argument("--keep", action="store_true", help="leave the root there")
    options = parser.parse_args(arguments)
    if lack := missing_requirement():
        print(f"A bare Debian cannot be made: {lack}.", file=sys.stderr)
        return 1
    place = Path(tempfile.mkdtemp(prefix=f"lightloom-{options.suite}-", dir=options.folder))
    try:
        return try_readme(options.suite, place / "root", fast=options.fast)
    except RootError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if options.keep:
            print(f"root     {place / 'root'}")
        else:
            shutil.rmtree(place)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
