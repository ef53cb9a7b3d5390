"""The sizes that docs/packaging.md states, as a build measured them: `tasks.py package --record` writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

DOCUMENT: Final = Path(__file__).resolve().parents[1] / "docs" / "packaging.md"
# What a bundle, and each of its archives, may take; in bytes.
UNPACKED_LIMIT: Final = 400_000_000
COMPRESSED_LIMIT: Final = 150_000_000


def rows(files: Mapping[str, int], archives: Mapping[str, int]) -> list[str]:
    """Return the rows of the table.

    Args:
        files: the bytes of each file of the bundle, by its path.
        archives: the bytes of each archive, by its kind ("deb").
    """
    dawn = sum(size for name, size in files.items() if "wgpudawn/" in name)
    unpacked = f"{_megabytes(sum(files.values()))} MB (10^6 bytes), of which Dawn {_megabytes(dawn)}"
    packed = [
        f"| Linux bundle as `{kind}` | {_megabytes(size)} MB | {_megabytes(COMPRESSED_LIMIT)} MB |"
        for kind, size in sorted(archives.items())
    ]
    return [f"| Linux bundle, unpacked | {unpacked} | {_megabytes(UNPACKED_LIMIT)} MB |", *packed]


def renewed(document: str, new: Sequence[str]) -> str:
    """Return a document with rows in the place of those that begin with the same cell.

    Raises:
        ValueError: the document has no such row.
    """
    for row in new:
        cell = row.split("|")[1]
        document, count = re.subn(rf"^\|{re.escape(cell)}\|.*$", row, document, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"{DOCUMENT.name} has no row '{cell.strip()}' in its table of sizes; add it.")
    return document


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f}"
