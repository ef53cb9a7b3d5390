"""`lightloom remote hosts`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop import console
from desktop.cli import Command
from desktop.compute.net.inference.hosts import AllowedHosts


def _run(options: argparse.Namespace) -> int:
    for host in AllowedHosts().all():
        console.out(host)
    return 0


COMMAND: Final = Command("List the hosts that may get pictures, beside this machine.", _run)
