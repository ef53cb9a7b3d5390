"""`lightloom model`: what a network is, whether it is right, where its time goes, and less of it."""

from typing import Final

from desktop.cli import Group

COMMAND: Final = Group(
    "Look into a network: what it is, whether it is right, where its time goes, and make it take less."
)
