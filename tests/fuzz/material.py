"""Sources of seeds: the project's files, and the folder of shared clips where it is there."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("LIGHTLOOM_SHARED", ROOT.parent / "shared"))


def shared(*patterns: str, largest: int = 1 << 17) -> list[bytes]:
    """Files of the shared folder up to a size; nothing where it is missing."""
    paths = sorted(path for pattern in patterns for path in SHARED.glob(pattern) if path.is_file())
    return [path.read_bytes() for path in paths if path.stat().st_size <= largest]


def written(path: Path, data: bytes) -> Path:
    """A file with these bytes."""
    path.write_bytes(data)
    return path
