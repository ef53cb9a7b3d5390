"""Layers as tables: `[[layer]]` and `[main_image]` of a preset, untrusted (docs/layers.md lists the keys).

    [main_image]                    # only if it does not fill the frame; keys of a place
    width = 0.5
    [[layer]]                       # the lowest first
    kind = "video"
    values = { path = "cam2.mp4" }  # of the kind; what is left out is as usual
    x = 0.7                         # as y, width, height, fit, opacity, blend and below: only what is not usual
    enabled = false                 # only if it is off
    [[layer.filter]]                # its own filters, as those of the main chain

A layer whose file is missing is left out. One that opens a camera or an address is switched off: a look of
another person's must not do that by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Field
from desktop.base.wording import Text, sentence
from desktop.pipeline.automation.source import automation_source
from desktop.pipeline.chain.filter_inputs import inputs_of
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import LayerKind, layer_kind
from desktop.pipeline.layers.kinds.video import is_file, is_live
from desktop.pipeline.layers.spec import (
    MIXED_FIELDS,
    MOST_LAYERS,
    PLACE_FIELDS,
    LayerPlace,
    Layers,
    LayerSpec,
    with_mixed_value,
    with_place_value,
)
from desktop.pipeline.layers.texts import needs_results
from desktop.pipeline.masks.sources import NEEDS_RESULTS
from desktop.pipeline.setup.setup import Setup

_KEYS: Final = frozenset({"kind", "values", "enabled", "filter", *PLACE_FIELDS, *MIXED_FIELDS})


# -- writing -------------------------------------------------------------------------------------------------


def place_table(place: LayerPlace) -> dict[str, Any]:
    """Return the table of a place, without what is as usual."""
    return _changed(place, PLACE_FIELDS)


def layer_table(
    spec: LayerSpec, filters: list[dict[str, Any]], named: Callable[[str, LayerKind], str]
) -> dict[str, Any]:
    """Return the table of a layer.

    Args:
        spec: the layer.
        filters: the tables of its filters.
        named: (path, kind) -> how the preset names a file.
    """
    kind = layer_kind(spec.kind)
    usual = {each.name: each.default for each in kind.fields}
    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in spec.values.items()
        if value != usual.get(name)
    }
    if kind.file and is_file(spec.values[kind.file]):
        values[kind.file] = named(spec.values[kind.file], kind)
    table = {"kind": spec.kind, "values": values, **place_table(spec.place), **_changed(spec, MIXED_FIELDS)}
    if not spec.enabled:
        table["enabled"] = False
    return table | ({"filter": filters} if filters else {})


def _changed(owner: LayerPlace | LayerSpec, fields: Mapping[str, Field]) -> dict[str, Any]:
    usual = type(owner)
    return {name: getattr(owner, name) for name in fields if getattr(owner, name) != getattr(usual, name)}


# -- reading -------------------------------------------------------------------------------------------------


def take_layers(
    document: dict[str, Any],
    find: Callable[[str, Text], str | None],
    read_chain: Callable[[Any], ChainSpec],
    warn: Callable[[Text], None],
) -> Layers:
    """Remove and read the keys `layer` and `main_image` of a preset.

    Args:
        document: the preset.
        find: (name of a file, what it is) -> its path, or None after a warning.
        read_chain: reads the key `filter` of a layer.
        warn: called for each value that is ignored.
    """
    main = document.pop("main_image", {})
    layers = Layers(main=_place(main, warn) if isinstance(main, dict) else LayerPlace())
    if not isinstance(main, dict):
        warn(sentence("'{key}' is not a table and was left out.", key="main_image"))
    given = document.pop("layer", [])
    if not isinstance(given, list):
        warn(sentence("'layer' is not written as [[layer]] and was left out."))
        return layers
    for entry in given[:MOST_LAYERS]:
        try:
            spec = _read_layer(entry, find, read_chain, warn)
        except LightloomError as error:
            warn(sentence("{error} The layer was left out.", error=error))
            continue
        if spec is not None:
            layers = layers.added(spec)
    if len(given) > MOST_LAYERS:
        warn(
            sentence(
                "it has {count} layers; those after the first {most} were left out.",
                count=len(given),
                most=MOST_LAYERS,
            )
        )
    return layers


def _place(table: Mapping[str, Any], warn: Callable[[Text], None]) -> LayerPlace:
    place = LayerPlace()
    for name, value in table.items():
        try:
            place = with_place_value(place, name, value)
        except UsageError as error:
            warn(sentence("{error} The usual one is used.", error=error))
    return place


def _read_layer(
    entry: Any,
    find: Callable[[str, Text], str | None],
    read_chain: Callable[[Any], ChainSpec],
    warn: Callable[[Text], None],
) -> LayerSpec | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        raise UsageError(sentence("A layer has no kind; give one, such as text."))
    kind = layer_kind(entry["kind"])
    for key in entry.keys() - _KEYS:
        warn(sentence("'{key}' is not known and was left out.", key=f"layer.{str(key)[:40]}"))
    values, enabled = entry.get("values", {}), entry.get("enabled", True)
    if not isinstance(values, dict) or not isinstance(enabled, bool):
        raise UsageError(
            sentence("'values' of a layer is no table, or 'enabled' neither true nor false; correct that.")
        )
    checked = kind.check(values)
    if kind.file and kind.id == "video" and is_live(checked[kind.file]):
        if enabled:
            warn(
                sentence(
                    "the layer with {source} was switched off, since a look does not open cameras and addresses by "
                    "itself; switch it on to use it.",
                    source=checked[kind.file][:80],
                )
            )
        enabled = False
    elif kind.file and is_file(checked[kind.file]):
        path = find(checked[kind.file], sentence("the file of a layer"))
        if path is None:
            return None
        checked = {**checked, kind.file: path}
    spec = LayerSpec(0, kind.id, checked, _place(_of(entry, PLACE_FIELDS), warn), enabled=enabled)
    for name, value in _of(entry, MIXED_FIELDS).items():
        try:
            spec = with_mixed_value(spec, name, value)
        except UsageError as error:
            warn(sentence("{error} The usual one is used.", error=error))
    return LayerSpec(**{**vars(spec), "chain": read_chain(entry.get("filter", []))})


def _of(entry: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name in fields}


# -- what layers need ----------------------------------------------------------------------------------------


def uses_results(layers: Layers) -> bool:
    """Return True if a text in use tells what the analysis network finds."""
    return any(layer.kind == "text" and needs_results(layer.values["value"]) for layer in layers.in_use)


def layer_fault(setup: Setup, library: FilterLibrary) -> Text | None:
    """Return a sentence about the first layer in use that can never be drawn as it is meant; None without one."""
    for number, layer in enumerate(setup.layers.specs, 1):
        if not layer.enabled:
            continue
        kind = layer_kind(layer.kind)
        if layer.kind == "text" and needs_results(layer.values["value"]) and setup.analysis is None:
            return sentence(
                "The text '{text}' tells what an analysis network finds, and there is none; choose one (--model).",
                text=layer.values["value"][:80],
            )
        if kind.file and not layer.values[kind.file]:
            return sentence("The layer {number} has no file; give one.", number=number)
        if (fault := _fault_of_chain(layer.chain, library)) is not None:
            return fault
    return None


def _fault_of_chain(chain: ChainSpec, library: FilterLibrary) -> Text | None:
    """Return a sentence about the first filter of a layer that depends on the main image."""
    for stage in chain.stages:
        if not stage.enabled:
            continue
        if {"audio", "tracks"} & set(inputs_of(stage, library)):
            return sentence(
                "'{filter}' of a layer reads the audio or objects of the main video; put it into the main chain.",
                filter=stage.filter,
            )
        for part in stage.mask.parts if stage.mask is not None else ():
            given = library.mask(part.kind).given
            source = given.source if given is not None else ""
            if source in (*NEEDS_RESULTS, "zone", "track") or part.attachment is not None:
                return sentence(
                    "The mask of '{filter}' of a layer uses what is found in the main image; choose another mask.",
                    filter=stage.filter,
                )
        for each in stage.automation.values():
            if each.enabled and automation_source(each.source).needs:
                return sentence(
                    "An automation of '{filter}' of a layer follows the main video; give it key frames, or lfo.",
                    filter=stage.filter,
                )
    return None
