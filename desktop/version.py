"""Which Lightloom this is: the version of the installed package (pyproject.toml has the only copy) and the commit it was built from."""

from __future__ import annotations

import importlib.metadata
import subprocess
from pathlib import Path

# Where releases are published. The check for updates asks for /latest.json below it ({"version": "1.2.3"}), and packaging/channels.py
# takes it for the package managers.
SITE = "https://lightloom.org"

_PACKAGE = Path(__file__).resolve().parent
# packaging/hatch_build.py writes it into wheels and source archives; a checkout has none and asks git.
_COMMIT_FILE = _PACKAGE / "commit.txt"


def version() -> str:
    """Return the version, e.g. "0.1.0"."""
    return importlib.metadata.version("lightloom")


def commit() -> str:
    """Return the first twelve digits of the commit, "" where nothing knows it (a copy of the files without git)."""
    try:
        return _COMMIT_FILE.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return _commit_of_checkout(_PACKAGE.parent)


def version_line() -> str:
    """Return what `lightloom --version` and the About window show, e.g. "0.1.0 (commit 35a0a65c21f0)"."""
    found = commit()
    return f"{version()} (commit {found})" if found else version()


def _commit_of_checkout(root: Path) -> str:
    # Only where the package stands in its own checkout: site-packages may lie inside someone else's.
    if not (root / ".git").exists() or not (root / "tasks.py").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
