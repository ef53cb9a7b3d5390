"""`lightloom detect`."""

from __future__ import annotations

from typing import Final

from desktop.cli import Command
from desktop.cli._task_command import task_command

COMMAND: Final[Command] = task_command("detect")
