"""`lightloom bench`."""

from typing import Final

from desktop.cli import Group

COMMAND: Final = Group("Measure the pipeline, or the network engine beside others.")
