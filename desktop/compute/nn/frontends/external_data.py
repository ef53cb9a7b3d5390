"""Check external data before a backend reads it (https://onnx.ai/onnx/repo-docs/ExternalData.html)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx

from desktop.base.errors import ModelInvalidError
from desktop.base.files import resolved
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.weights import is_left_out


def check_external(model: Any, path: Path) -> None:
    """Check the locations of a model's external data.

    Raises ModelInvalidError: outside of its folder, no file, negative, past the end, or overlapping, as a
    small file could then hold many large tensors.
    """
    folder = resolved(path).parent
    ranges: dict[Path, set[tuple[int, int]]] = {}
    for tensor in tensors_of(model.graph):
        if tensor.data_location == onnx.TensorProto.EXTERNAL and not is_left_out(tensor):
            file, offset, length = _place(tensor, path, folder)
            if length:
                ranges.setdefault(file, set()).add((offset, length))
    for file, found in ranges.items():
        ordered = sorted(found)  # tied weights name the same range, which is one
        for (offset, length), (following, _) in itertools.pairwise(ordered):
            if following < offset + length:
                raise _damaged(
                    path, sentence("tensors overlap in its external data '{name}'", name=file.name)
                )


def external_files(model: Any, path: Path) -> tuple[Path, ...]:
    """Return the files that hold a model's weights beside its own; raise ModelInvalidError as `check_external`."""
    folder = resolved(path).parent
    tensors = (each for each in tensors_of(model.graph) if each.data_location == onnx.TensorProto.EXTERNAL)
    return tuple(sorted({_place(each, path, folder)[0] for each in tensors if not is_left_out(each)}))


def _place(tensor: Any, path: Path, folder: Path) -> tuple[Path, int, int]:
    """Return the file of a tensor's data, which must be in the model's folder, with offset and length."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    try:
        file = resolved(folder / location)
        size = file.stat().st_size if file.is_file() else -1
        offset = int(entries.get("offset", 0))
        length = int(entries.get("length", max(size, 0) - offset))
    except (ValueError, OSError) as error:
        raise _damaged(
            path,
            sentence("the external data of '{tensor_name}' has a damaged address", tensor_name=tensor.name),
        ) from error
    if not location or Path(location).is_absolute() or not file.is_relative_to(folder):
        raise _damaged(
            path,
            sentence(
                "the external data of '{tensor_name}' lies outside the model's folder ('{location}')",
                tensor_name=tensor.name,
                location=location,
            ),
        )
    if size < 0:
        raise ModelInvalidError(
            sentence(
                "{name} keeps its weights in '{location}', which is missing; put that file beside the model.",
                name=path.name,
                location=location,
            )
        )
    if offset < 0 or length < 0 or offset + length > size:
        raise _damaged(
            path,
            sentence(
                "the external data of '{tensor_name}' does not fit the file '{location}'",
                tensor_name=tensor.name,
                location=location,
            ),
        )
    return file, offset, length


def tensors_of(graph: Any) -> Iterator[Any]:
    """Yield the tensors of a graph and of its nodes, subgraphs included."""
    # Protobuf itself reads at most 100 levels.
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                yield from tensors_of(inner)


def _damaged(path: Path, what: str) -> ModelInvalidError:
    return ModelInvalidError(
        sentence(
            "{name} is not a valid ONNX model: {what}; download or export it again.",
            name=path.name,
            what=what,
        )
    )
