"""Formats in which results are exported: each module here that defines a `ResultFormat` FORMAT."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.discovery import module_names
from desktop.base.errors import UsageError
from desktop.base.files import is_special
from desktop.base.plugins import provided_by_name
from desktop.base.wording import joined, sentence

if TYPE_CHECKING:
    from desktop.outputs.result_format import ResultFormat


def format_names() -> tuple[str, ...]:
    """Return the names of all formats, those of plug-ins too, without importing the others."""
    return tuple(sorted((*module_names(__name__), *provided_by_name("outputs"))))


@cache
def result_formats() -> dict[str, ResultFormat]:
    """Return the formats by their names, which are those of their files."""
    own = {name: importlib.import_module(f"{__name__}.{name}").FORMAT for name in module_names(__name__)}
    found: dict[str, ResultFormat] = {**provided_by_name("outputs"), **own}
    return dict(sorted(found.items(), key=lambda item: item[1].order))


def format_for(target: Path, name: str = "") -> ResultFormat:
    """Return the format of a name, or of an output's suffix; UsageError if there is none."""
    formats = result_formats()
    if name:
        found = formats[name]
    else:
        suffix = target.suffix.lower()
        by_suffix = [each for each in formats.values() if each.by_suffix and suffix in each.suffixes]
        if not by_suffix:
            raise UsageError(
                sentence(
                    "The output '{name}' must end in {suffixes}; for {others} say so with --format.",
                    name=str(target),
                    suffixes=joined(", ", [s for f in formats.values() if f.by_suffix for s in f.suffixes]),
                    others=joined(", ", [n for n, f in formats.items() if not f.by_suffix]),
                )
            )
        found = by_suffix[0]
    from desktop.outputs.result_format import wrong_ending

    # A pipe or a device is called as it is.
    if found.suffixes and target.suffix.lower() not in found.suffixes and not is_special(target):
        raise wrong_ending(target, found.suffixes, found.title)
    return found
