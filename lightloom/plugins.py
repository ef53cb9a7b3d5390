"""Plug-ins: extend Lightloom with your own package.

    # pyproject.toml
    [project.entry-points."lightloom.plugins"]
    blobs = "lightloom_blobs:PLUGIN"

    # lightloom_blobs/__init__.py
    from lightloom.plugins import Command, Plugin
    PLUGIN = Plugin(title="Blobs", commands={"blobs": Command("Say hello.", run)})

A plug-in is code, so Lightloom asks once before importing it (`lightloom plugins`); this library uses the
allowed ones. examples/plugin is a complete package. The interfaces of decoders, sources and formats are
internal and may change.
"""

from __future__ import annotations

from desktop.base.plugins import Offer, Plugin, offers
from desktop.base.plugins import PluginCommand as Command
from desktop.base.wording import sentence
from desktop.media.sources.base import SourceKind
from desktop.outputs.result_format import ResultFormat
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns, Decoder

__all__ = [
    "AnchorGroup",
    "Columns",
    "Command",
    "Decoder",
    "Evidence",
    "Match",
    "ModelFacts",
    "Offer",
    "Plugin",
    "ResultFormat",
    "SourceKind",
    "offers",
    "sentence",
]
