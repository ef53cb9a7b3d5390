"""Problem reports in a zip file: the log, `lightloom doctor`'s output, the setup, a crash's stacks.

Never sent. The user's name, home folder and passwords in addresses are replaced; file names stay.
"""

from __future__ import annotations

import getpass
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from desktop.base.errors import ExportError
from desktop.base.files import move_over, reason
from desktop.base.paths import user_log_folder
from desktop.base.version import version_line
from desktop.base.wording import sentence

_DOCTOR_S: Final = 90
_README: Final = """A report of a problem with Lightloom {version}.

log/       the program's own messages of the last runs
crash/     where each thread was when the program crashed or hung, if it did, and the setup at that time
setup.toml the chain and the network in use when this was saved, as a look
doctor.txt output of 'lightloom doctor' on this machine

The user's name and home folder were replaced by <user> and ~. Nothing was sent: give this file to whom you like.
"""


def scrub(text: str, home: Path | None = None, user: str = "") -> str:
    """Replace the home folder by ~, the user's name by <user>, and drop credentials from addresses."""
    home = home or Path.home()
    user = user or _user()
    plain = str(home)
    forms = {plain, home.as_posix(), plain.replace("\\", "\\\\"), quote(home.as_posix())}
    text = re.sub(r"(\w://)[^/@\s]+@", r"\1<user>@", text)
    if len(home.parts) > 1:
        for form in sorted(forms, key=len, reverse=True):
            text = re.sub(re.escape(form) + r"(?![\w.-])", "~", text, flags=re.IGNORECASE)
    if user:
        text = re.sub(rf"(?<!\w){re.escape(user)}(?!\w)", "<user>", text, flags=re.IGNORECASE)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no user in the list of users
        return ""


def diagnose_apart() -> str:
    """Return the output of `lightloom doctor`, run in a separate process: it may crash like this one."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "desktop"]
    try:
        done = subprocess.run(
            [*program, "doctor"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_DOCTOR_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"'lightloom doctor' did not end within {_DOCTOR_S} s."
    except OSError as error:
        return f"'lightloom doctor' could not be started: {error}"
    text = done.stdout.decode("utf-8", "replace")
    return text if done.returncode in (0, 1) else f"{text}\n'lightloom doctor' ended with {done.returncode}."


def write_report(path: Path, *, crash: Path | None = None, setup: str = "", diagnosis: str = "") -> None:
    """Write a report as a zip file, with the files of the folder `crash` and the preset's text `setup`.

    Raises:
        ExportError: it cannot be written; an existing file is unchanged.
    """
    parts = {"README.txt": _README.format(version=version_line()), "doctor.txt": diagnosis}
    if setup:
        parts["setup.toml"] = setup
    parts |= _read_all("log", sorted(user_log_folder().glob("*.log*")))
    if crash is not None:
        parts |= _read_all("crash", sorted(crash.iterdir()))
    written = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(name, scrub(text))
        move_over(written, path)
    except OSError as error:
        written.unlink(missing_ok=True)
        raise ExportError(
            sentence(
                "The report {name} cannot be written ({reason}); choose another folder.",
                name=path.name,
                reason=reason(error),
            )
        ) from error


def _read_all(folder: str, paths: Iterable[Path]) -> dict[str, str]:
    found = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if text:
            found[f"{folder}/{path.name}"] = text
    return found
