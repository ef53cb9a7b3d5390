"""`lightloom match`."""

from __future__ import annotations

from typing import Final

from desktop.cli import Command
from desktop.cli._look import look_command

COMMAND: Final[Command] = look_command("match")
