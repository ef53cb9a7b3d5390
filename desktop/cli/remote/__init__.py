"""`lightloom remote`: manage hosts that may receive frames, and their tokens."""

from __future__ import annotations

from typing import Final

from desktop.cli import Group

COMMAND: Final = Group("Servers that compute networks: which ones may receive images, and their tokens.")
