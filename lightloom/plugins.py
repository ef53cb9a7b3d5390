"""Plug-ins: what a package of yours adds to Lightloom.

    # pyproject.toml
    [project.entry-points."lightloom.plugins"]
    blobs = "lightloom_blobs:PLUGIN"

    # lightloom_blobs/__init__.py
    from lightloom.plugins import Command, Plugin
    PLUGIN = Plugin(title="Blobs", commands={"blobs": Command("Say hello.", run)})

A plug-in is code, so Lightloom asks once before it is imported (`lightloom plugins`), and so does this library: it uses those that are
allowed. examples/plugin is a whole package. What a decoder, a source or a format consists of is of Lightloom's inside, and may change.
"""

from __future__ import annotations

from desktop.compute.media.sources.base import SourceKind
from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence, Match
from desktop.compute.outputs.result_format import ResultFormat
from desktop.compute.tasks.detection.decoder import AnchorGroup, Columns, Decoder
from desktop.plugins import Offer, Plugin, offers
from desktop.plugins import PluginCommand as Command
from desktop.wording import sentence

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
