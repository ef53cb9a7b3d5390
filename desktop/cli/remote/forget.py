"""`lightloom remote forget`."""

from __future__ import annotations

import argparse
from typing import Final

from desktop.base.errors import UsageError
from desktop.cli import Command
from desktop.cli.remote._shared import server_named
from desktop.net.inference.hosts import AllowedHosts


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("host", nargs="+", metavar="HOST")


def _run(options: argparse.Namespace) -> int:
    hosts = AllowedHosts()
    for text in options.host:
        host = server_named(text).host
        if host not in hosts.all():
            raise UsageError(
                f"The host {host} is not allowed anyway; 'lightloom remote hosts' lists those that are."
            )
        hosts.remove(host)
    return 0


COMMAND: Final = Command("Withdraw hosts' permission to receive images.", _run, _add_options)
