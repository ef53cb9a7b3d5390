"""Version of the installed package (from pyproject.toml), and the commit it was built from."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final

from desktop.base.wording import Text, sentence

UNKNOWN: Final = "unknown"
# Set by the publisher of a build; empty: no update check, and messages give commands for a checkout.
SITE: Final = ""
"""An https:// address with /latest.json ({"version": "1.2.3"}); see packaging/channels.py."""
PACKAGE: Final = ""
"""The name under which `pip install` finds it."""

_PACKAGE: Final = Path(__file__).resolve().parents[1]
# packaging/hatch_build.py writes it into wheels and source archives; a checkout has none and uses git.
_COMMIT_FILE: Final = "commit.txt"


def extra_command(extra: str) -> Text:
    """Return the command that installs an extra of pyproject.toml, and where to run it, for messages."""
    if PACKAGE:
        return sentence("pip install '{package}[{extra}]'", package=PACKAGE, extra=extra)
    if getattr(sys, "frozen", False):
        return sentence(
            "pip install '.[{extra}]' in a checkout of Lightloom's source, as this bundle takes no packages",
            extra=extra,
        )
    return sentence("pip install '.[{extra}]' in a checkout of Lightloom's source", extra=extra)


def version() -> str:
    """Return the version, e.g. "0.1.0": the installed package's, else that of an adjacent pyproject.toml."""
    installed = package_version("lightloom")
    return _version_of_copy(_PACKAGE.parent) if installed == UNKNOWN else installed


def package_version(name: str) -> str:
    """Return the version of an installed distribution, `UNKNOWN` without metadata (files copied by hand)."""
    # Imported here: it takes 28 ms, which the first frame must not wait for.
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN


def commit(package: Path = _PACKAGE) -> str:
    """Return the first twelve digits of the commit of a package's folder, "" if unknown (no git)."""
    try:
        return (package / _COMMIT_FILE).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return _commit_of_checkout(package.parent)


def version_line(package: Path = _PACKAGE) -> str:
    """Return what `lightloom --version` and the About window show, e.g. "0.1.0 (commit 35a0a65c21f0)"."""
    found = commit(package)
    return f"{version()} (commit {found})" if found else version()


@lru_cache(maxsize=1)
def _version_of_copy(root: Path) -> str:
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        # The pyproject.toml of whatever else may surround a copy of the package.
        return str(project["version"]) if project["name"] == "lightloom" else UNKNOWN
    except (OSError, ValueError, KeyError):
        return UNKNOWN


def _commit_of_checkout(root: Path) -> str:
    # Only if the package is in its own checkout: site-packages may lie inside someone else's.
    if not (root / ".git").exists() or not (root / "tasks.py").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
