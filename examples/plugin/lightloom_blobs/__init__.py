"""Plug-in for Lightloom: a decoder of detectors, a filter and a command. Lightloom imports it once its user
has allowed it.
"""

from __future__ import annotations

from pathlib import Path

from lightloom.plugins import Plugin
from lightloom_blobs.count import COMMAND
from lightloom_blobs.decoder import DECODER

PLUGIN = Plugin(
    title="Blobs",
    decoders=(DECODER,),
    filters=(Path(__file__).with_name("red_only.wgsl"),),
    commands={"count-blobs": COMMAND},
)
