"""`lightloom models`: manage the model library without the window, with the window's settings."""

from typing import Final

from desktop.cli import Group

COMMAND: Final = Group("The library of networks: list, download, check and find them.")
