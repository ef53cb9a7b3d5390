"""`lightloom devices`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.base.errors import LightloomError
from desktop.base.webgpu import VARIABLE, chosen
from desktop.cli import Command
from desktop.cli._options import add_listing_options
from desktop.compute.gpu.device import list_adapters
from desktop.compute.gpu.webgpu import versions_in_use


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_listing_options(parser)
    parser.add_argument(
        "--networks",
        action="store_true",
        help="list what each backend computes networks on instead, for --backend and --device-of-network",
    )


def _list_networks(as_json: bool) -> int:
    # Imported here: listing adapters does not need it.
    from desktop.vision.backends import devices

    listed = devices.list_devices()
    if as_json:
        console.out_json(devices.as_json(listed))
        return 0
    for each in listed:
        console.out(f"{each.backend} ({each.title})")
        for device in each.found.devices:
            console.out(f"  {device.name:<20} {device.kind:<4} {device.title}")
        if not each.found.devices and not each.found.notes:
            console.out("  computes on the adapter that draws the frames (--adapter)")
        for note in each.found.notes:
            console.out(f"  {note}")
    return 0


def _run(options: argparse.Namespace) -> int:
    if options.networks:
        return _list_networks(options.json)
    adapters = list_adapters()
    if options.json:
        console.out_json([asdict(a) for a in adapters])
        return 0
    if not adapters:
        raise LightloomError("No GPU adapter was found; 'lightloom doctor' says what is missing.")
    for number, adapter in enumerate(adapters):
        console.out(f"{'*' if number == 0 else ' '} {adapter}  {adapter.driver}")
    model = chosen().chosen_for
    how = (
        f"{VARIABLE}={chosen().name}"
        if model is None
        else f"the faster one on {model}; {VARIABLE}=wgpu takes the other"
    )
    console.out(f"found by {versions_in_use()} ({how})")
    return 0


COMMAND: Final = Command(
    "List the GPU adapters, best first, or with --networks what networks can be computed on.",
    _run,
    _add_options,
)
