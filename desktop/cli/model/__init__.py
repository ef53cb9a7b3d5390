"""`lightloom model`: inspect, verify, profile and shrink a network."""

from typing import Final

from desktop.cli import Group

COMMAND: Final = Group(
    "Look into a network: what it is, whether it is right, where its time goes, and make it take less."
)
