"""`lightloom remote hosts`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base import console
from desktop.cli import Command
from desktop.net.inference.hosts import AllowedHosts


def _run(options: argparse.Namespace) -> int:
    hosts = AllowedHosts().all()
    for host in hosts:
        console.out(host)
    if not hosts:
        console.err("None: images stay on this machine. 'lightloom remote allow HOST' allows one.")
    return 0


COMMAND: Final = Command("List the hosts that may receive images, besides this machine.", _run)
