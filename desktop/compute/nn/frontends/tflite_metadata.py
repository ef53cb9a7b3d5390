"""Read normalization, color order and class names from TensorFlow Lite metadata (names as in ONNX files).

A flatbuffer, TFLITE_METADATA, and labels in a zip archive at the end; damaged parts are ignored.
https://github.com/tensorflow/tflite-support/blob/master/tensorflow_lite_support/metadata/metadata_schema.fbs
"""

from __future__ import annotations

import json
import struct
from typing import Any, Final

import numpy as np
from flatbuffers.number_types import Int8Flags, UOffsetTFlags
from flatbuffers.table import Table

from desktop.base.files import text_lines
from desktop.compute.nn.frontends.appended import appended_file, described
from desktop.compute.nn.frontends.tflite_reader import DAMAGE, Network

_NAME: Final = "TFLITE_METADATA"
_LARGEST: Final = 1 << 20
_MOST_NAMES: Final = 100_000
# Indices of the fields in their tables, as the schema orders them.
_SUBGRAPHS: Final = 3
_INPUTS, _OUTPUTS = 2, 3
_CONTENT, _UNITS, _FILES = 3, 4, 6
_PROPERTIES_TYPE, _PROPERTIES = 0, 1
_IMAGE: Final = 2
_OPTIONS_TYPE, _OPTIONS = 0, 1
_NORMALIZATION: Final = 1
_MEAN, _STD = 0, 1
_FILE_NAME, _FILE_TYPE = 0, 2
_LABELS: Final = (2, 3)
_COLORS: Final = {1: "Rgb8", 2: "Gray8"}


def metadata_properties(network: Network, data: bytes) -> dict[str, str]:
    """Return `labels`, `mean`, `std`, `input_range`, `Image.BitmapPixelFormat` and Ultralytics' metadata.

    `network` is the parsed file, `data` its bytes, with or without an archive.
    """
    found = {"description": network.description[:1000]} if network.description else {}
    found |= described(data)
    table = network.metadata.get(_NAME)
    if not table:
        return found
    try:
        graph = _tables(_root(table), _SUBGRAPHS)[0]
        inputs, outputs = _tables(graph, _INPUTS), _tables(graph, _OUTPUTS)
    except DAMAGE:
        return found
    first = next((network.tensors[at] for at in network.inputs if at >= 0), None)
    for part in (
        lambda: _pictures(inputs[0], first.dtype if first is not None else ""),
        lambda: _labels(outputs, data),
    ):
        try:
            found |= part()
        except DAMAGE:
            continue
    return found


# -- flatbuffers without a schema ----------------------------------------------------------------------------


def _root(data: bytes) -> Table:
    (at,) = struct.unpack_from("<I", data, 0)
    return Table(data, at)


def _field(table: Table, field: int) -> int:
    return int(table.Offset(4 + 2 * field))


def _tables(table: Table, field: int) -> list[Table]:
    """Return the tables of a list, at most 64 of them."""
    offset = _field(table, field)
    if not offset:
        return []
    start = table.Vector(offset)
    return [
        Table(table.Bytes, table.Indirect(start + 4 * at)) for at in range(min(table.VectorLen(offset), 64))
    ]


def _table(table: Table, field: int) -> Table | None:
    offset = _field(table, field)
    return Table(table.Bytes, table.Indirect(table.Pos + offset)) if offset else None


def _byte(table: Table, field: int) -> int:
    offset = _field(table, field)
    return int(table.Get(Int8Flags, table.Pos + offset)) if offset else 0


def _text(table: Table, field: int) -> str:
    offset = _field(table, field)
    if not offset:
        return ""
    at = table.Pos + offset
    at += int(table.Get(UOffsetTFlags, at))
    (length,) = struct.unpack_from("<I", table.Bytes, at)
    return bytes(table.Bytes[at + 4 : at + 4 + min(length, 4096)]).decode("utf-8", "replace")


def _floats(table: Table, field: int) -> list[float]:
    offset = _field(table, field)
    if not offset or not 0 < table.VectorLen(offset) <= 4:
        return []
    values = np.frombuffer(table.Bytes, "<f4", table.VectorLen(offset), table.Vector(offset))
    return [float(v) for v in values]


# -- metadata ------------------------------------------------------------------------------------------------


def _pictures(tensor: Table, dtype: str) -> dict[str, str]:
    """Return the color order, and the mean and deviation that normalize pixels of 0 to 255."""
    found: dict[str, str] = {}
    content = _table(tensor, _CONTENT)
    if content is not None and _byte(content, _PROPERTIES_TYPE) == _IMAGE:
        image = _table(content, _PROPERTIES)
        color = _COLORS.get(_byte(image, 0) if image is not None else 0, "")
        if color == "Rgb8":
            found["Image.BitmapPixelFormat"] = color
    for unit in _tables(tensor, _UNITS):
        options = _table(unit, _OPTIONS)
        if options is None or _byte(unit, _OPTIONS_TYPE) != _NORMALIZATION or dtype != "float32":
            continue  # for quantized inputs the type's scale undoes the normalization
        mean, std = _floats(options, _MEAN), _floats(options, _STD)
        if not std or not all(np.isfinite([*mean, *std])) or min(std) <= 0:
            continue
        if max(map(abs, (*mean, *std))) > 2.0:
            found |= {"mean": ", ".join(map(repr, mean or [0.0])), "std": ", ".join(map(repr, std))}
        elif set(mean or [0.0]) == {0.0} and set(std) == {1.0}:
            found["input_range"] = "0..255"
    return found


def _labels(outputs: list[Any], data: bytes) -> dict[str, str]:
    """Return the class names, from the first file of labels that an output names and the archive has."""
    wanted = [
        _text(each, _FILE_NAME)
        for output in outputs
        for each in _tables(output, _FILES)
        if _byte(each, _FILE_TYPE) in _LABELS
    ]
    content = appended_file(data, wanted, _LARGEST)
    if content is None:
        return {}
    lines = [line.strip() for line in text_lines(content.decode("utf-8", "replace"))][:_MOST_NAMES]
    while lines and not lines[-1]:
        lines.pop()
    return {"labels": json.dumps(lines)} if lines else {}
