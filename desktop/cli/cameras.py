"""`lightloom cameras`: list cameras of this computer and of the network, and the streams of one."""

from __future__ import annotations

import argparse
import os
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.base.errors import SourceError, StreamError, UsageError
from desktop.base.wording import sentence
from desktop.cli import Command
from desktop.net.onvif.streams import PASSWORD_VARIABLE

_LONGEST_S: Final = 60.0


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--network",
        action="store_true",
        help="list the ONVIF cameras that answer in the local network instead of those of this computer",
    )
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=_seconds,
        default=3.0,
        help="how long cameras of the network may take to answer (default: 3)",
    )
    parser.add_argument(
        "--streams",
        metavar="ADDRESS",
        help="list the streams of the ONVIF camera with this address, as --network prints it",
    )
    parser.add_argument(
        "--user",
        metavar="NAME",
        default="",
        help=f"user of the camera; the password is read from the variable {PASSWORD_VARIABLE}",
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' is not a number of seconds from 0.1 to 60")
    return seconds


def _run(options: argparse.Namespace) -> int:
    if options.user and options.streams is None:
        raise UsageError("--user is for --streams ADDRESS; list the addresses with --network first.")
    if options.streams is not None:
        return _list_streams(options)
    return _list_network(options) if options.network else _list_local(options)


def _list_local(options: argparse.Namespace) -> int:
    # Imported here: these import what reads cameras, which the other lists do without.
    from desktop.media.sources.camera import list_cameras

    cameras = list_cameras()
    if options.json:
        console.out_json([{"name": each.name, "source": f"camera:{each.id}"} for each in cameras])
        return 0
    if not cameras:
        raise SourceError("No camera is connected; 'lightloom cameras --network' looks for network cameras.")
    for each in cameras:
        console.out(f"{each.name}  camera:{each.id}")
    return 0


def _list_network(options: argparse.Namespace) -> int:
    from desktop.net.onvif.discovery import search_cameras

    cameras = search_cameras(options.wait)
    if options.json:
        console.out_json([asdict(each) for each in cameras])
        return 0
    if not cameras:
        raise StreamError(
            sentence(
                "No ONVIF camera answers; check that ONVIF and discovery are on in its settings and that it is "
                "in this network, or give its address to --streams."
            )
        )
    for each in cameras:
        console.out(f"{each.name}  {each.hardware}  {each.address}")
    return 0


def _list_streams(options: argparse.Namespace) -> int:
    from desktop.net.onvif.streams import streams_of

    password = os.environ.get(PASSWORD_VARIABLE, "")
    streams = streams_of(options.streams, options.user, password)
    if options.json:
        console.out_json([asdict(each) for each in streams])
        return 0
    for each in streams:
        width, height = each.size
        console.out(f"{each.name}  {width}x{height} {each.codec}  {each.address}")
    return 0


COMMAND: Final = Command(
    "List the cameras of this computer, or with --network the ONVIF cameras of the network.",
    _run,
    _add_options,
)
