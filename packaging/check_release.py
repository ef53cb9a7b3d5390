"""Compares what names the version, and prints the changelog's part about it: `python
packaging/check_release.py [TAG] [--final] [--notes]`.

pyproject.toml has the version; a tag is "v" and the same; CHANGELOG.md and the AppStream data have an entry
for it, with --final of the same day. An empty tag means a build of a branch: then nothing is compared with it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_METAINFO: Final = "packaging/linux/org.lightloom.Lightloom.metainfo.xml"


def version() -> str:
    """Return the version of pyproject.toml."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def notes(changelog: str, wanted: str) -> str:
    """Return the changelog's text below the heading of a version, "" where there is none."""
    found = re.search(
        rf"^## {re.escape(wanted)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else ""


def problems(tag: str, *, final: bool = False) -> list[str]:
    """Return what does not agree, each as a sentence.

    Args:
        tag: of the release, "" for none.
        final: the version is to be published as it is, so its entries must have its day.
    """
    wanted = version()
    metainfo = (ROOT / _METAINFO).read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = []
    if tag and tag != f"v{wanted}":
        found.append(f"The tag is {tag}, but pyproject.toml has the version {wanted}; change one of them.")
    if not notes(changelog, wanted):
        found.append(f"CHANGELOG.md has nothing about {wanted}; add a heading for it.")
    if f'<release version="{wanted}"' not in metainfo:
        found.append(f"{_METAINFO} has no release {wanted}; add it.")
    if final and not found:
        heading = re.search(rf"^## {re.escape(wanted)} \((\d{{4}}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
        released = re.search(rf'<release version="{re.escape(wanted)}" date="([^"]*)"', metainfo)
        if heading is None:
            found.append(f"CHANGELOG.md has no day of {wanted}; write '## {wanted} (2026-01-31)'.")
        elif released is None or released[1] != heading[1]:
            found.append(f"{_METAINFO} has another day than CHANGELOG.md for {wanted}; make it {heading[1]}.")
    return found


def main(arguments: Sequence[str]) -> int:
    """Print problems, or with --notes the notes; return the exit status."""
    parser = argparse.ArgumentParser(description="Compare what names the version.")
    parser.add_argument("tag", nargs="?", default="", help="'v' and the version")
    parser.add_argument("--final", action="store_true", help="compare the days of the release too")
    parser.add_argument("--notes", action="store_true", help="print the changelog's part about it")
    options = parser.parse_args(arguments)
    found = problems(options.tag, final=options.final)
    for sentence in found:
        print(sentence, file=sys.stderr)
    if not found and options.notes:
        print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
