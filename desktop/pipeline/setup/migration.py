"""Presets of earlier versions of the format, as the present one has them.

Version 2 gave every filter an opacity, a blend mode and a mask. In version 1 some filters had a `strength` that
mixed their result with what they were given; that is their opacity now.
"""

from __future__ import annotations

from typing import Any

from desktop.pipeline.filters.former import take_strength
from desktop.pipeline.filters.library import FilterLibrary


def migrated(document: dict[str, Any], library: FilterLibrary) -> dict[str, Any]:
    """Return a document of version 1, unchecked, as one of version 2."""
    entries = document.get("filter")
    if not isinstance(entries, list):
        return document
    return document | {"filter": [_migrated_filter(entry, library) for entry in entries]}


def _migrated_filter(entry: Any, library: FilterLibrary) -> Any:
    # A filter that comes with the preset has the parameters of its own file.
    if not isinstance(entry, dict) or "shader" in entry or "opacity" in entry:
        return entry
    name, given = entry.get("name"), entry.get("values")
    spec = library.filters.get(name) if isinstance(name, str) else None
    if spec is None or not isinstance(given, dict):
        return entry
    values, strength = take_strength(spec, given)
    return entry if strength is None else entry | {"values": values, "opacity": strength}
