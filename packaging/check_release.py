"""Compares what names the version, and prints the changelog's part about it: `python
packaging/check_release.py [TAG] [--notes]`.

pyproject.toml has the version; a tag is "v" and the same; CHANGELOG.md and the AppStream data have an entry
for it. An empty tag means a build of a branch: then nothing is compared with it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


def version() -> str:
    """Return the version of pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def notes(changelog: str, wanted: str) -> str:
    """Return the changelog's text below the heading of a version, "" where there is none."""
    found = re.search(
        rf"^## {re.escape(wanted)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else ""


def problems(tag: str) -> list[str]:
    """Return what does not agree, each as a sentence."""
    wanted = version()
    metainfo = (ROOT / "packaging" / "linux" / "org.lightloom.Lightloom.metainfo.xml").read_text(
        encoding="utf-8"
    )
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = []
    if tag and tag != f"v{wanted}":
        found.append(f"The tag is {tag}, but pyproject.toml has the version {wanted}.")
    if not notes(changelog, wanted):
        found.append(f"CHANGELOG.md has nothing about {wanted}.")
    if f'<release version="{wanted}"' not in metainfo:
        found.append(f"packaging/linux/org.lightloom.Lightloom.metainfo.xml has no release {wanted}.")
    return found


def main(arguments: Sequence[str]) -> int:
    """Print problems, or with --notes the notes; return the exit status."""
    tags = [argument for argument in arguments if argument != "--notes"]
    found = problems(tags[0] if tags else "")
    for sentence in found:
        print(sentence, file=sys.stderr)
    if not found and "--notes" in arguments:
        print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
