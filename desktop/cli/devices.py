"""`lightloom devices`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from desktop import console
from desktop.cli import Command
from desktop.cli._options import add_listing_options
from desktop.compute.gpu.device import list_adapters
from desktop.errors import LightloomError


def _run(options: argparse.Namespace) -> int:
    adapters = list_adapters()
    if options.json:
        console.out_json([asdict(a) for a in adapters])
        return 0
    if not adapters:
        raise LightloomError("No GPU adapter was found; 'lightloom doctor' says what is missing.")
    for number, adapter in enumerate(adapters):
        console.out(f"{'*' if number == 0 else ' '} {adapter}  {adapter.driver}")
    return 0


COMMAND: Final = Command("List the GPU adapters, best first.", _run, add_listing_options)
