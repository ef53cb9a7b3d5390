"""`--layer` and its like of `lightloom process`: videos, images and texts over and under the frames."""

from __future__ import annotations

import argparse

from desktop.base.errors import UsageError
from desktop.base.files import home_expanded
from desktop.base.output_names import NamedFile
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.kinds.video import is_file
from desktop.pipeline.layers.spec import Layers
from desktop.pipeline.layers.texts import zones_of
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.setup.typed_layers import typed_layers


def add_layer_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--layer",
        metavar="KIND:key=value,...",
        action="append",
        default=[],
        help="put a layer on top, up to eight, as in 'text:value={timecode},x=0.02,y=0.9' or "
        "'video:path=cam2.mp4,x=0.7,y=0.7,width=0.28' (docs/layers.md)",
    )
    parser.add_argument(
        "--layer-filter",
        metavar="N=FILTER",
        action="append",
        default=[],
        help="add a filter to the Nth layer, any number of times, as in '1=chroma_key'",
    )
    parser.add_argument(
        "--main-image",
        metavar="key=value,...",
        help="put the filtered frames themselves into a rectangle, as in 'width=0.5,height=1'",
    )


def with_typed_layers(options: argparse.Namespace, library: FilterLibrary, layers: Layers) -> Layers:
    """Return the layers with those of the options; raise LightloomError if one is invalid."""
    return typed_layers(library, layers, options.layer, options.layer_filter, options.main_image)


def check_zones_of_texts(setup: Setup) -> None:
    """Raise UsageError for a text that counts in a zone which there is not."""
    known = [zone.name for zone in setup.scene.zones]
    for spec in setup.layers.in_use:
        for name in zones_of(spec.values["value"]) if spec.kind == "text" else ():
            if name not in known:
                there_are = ", ".join(known) or "none"
                raise UsageError(
                    f"A text counts in the zone '{name}'; the zones of --zones are: {there_are}."
                )


def layer_files(setup: Setup) -> list[NamedFile]:
    """Return the files that layers read."""
    found: list[NamedFile] = []
    for number, spec in enumerate(setup.layers.specs, 1):
        name = layer_kind(spec.kind).file
        if spec.enabled and name and is_file(spec.values[name]):
            found.append(NamedFile(f"layer {number}", home_expanded(spec.values[name])))
    return found
