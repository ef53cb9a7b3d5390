"""A network of a folder: its path, inputs, outputs and config. Its weights are not read for that."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import onnx

from desktop.base.errors import ModelAwayError, ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.base.wording import joined, sentence
from desktop.compute.nn.frontends.external_data import check_external
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.session import TensorInfo
from desktop.vision.diffusion.contents import MODEL, part_path
from desktop.vision.diffusion.document import Document

_CONFIG: Final = "config.json"
_BYTES: Final = {
    onnx.TensorProto.FLOAT16: 2,
    onnx.TensorProto.BFLOAT16: 2,
    onnx.TensorProto.INT8: 1,
    onnx.TensorProto.UINT8: 1,
}
_MOST_RANK: Final = 8
_MOST_PORTS: Final = 64


@dataclass(frozen=True)
class Part:
    """One network of a `kind`, its name in the folder: 'unet'.

    Attributes:
        inputs, outputs: as the file declares them; a dimension of 0 is free.
        config: its `config.json`; empty if there is none.
        weights, item: number of elements of its weights; bytes of an element of the largest tensor.
    """

    kind: str
    path: Path
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    config: Document
    weights: int = 0
    item: int = 4

    def __str__(self) -> str:
        return named(self.kind, self.path)

    def input(self, name: str) -> TensorInfo | None:
        """Return an input; None if there is none of that name."""
        return next((each for each in self.inputs if each.name == name), None)

    def needed(self, name: str, rank: int) -> TensorInfo:
        """Return the input with this number of dimensions; raise ModelUnsupportedError if there is none."""
        found = self.input(name)
        if found is None or len(found.shape) != rank:
            raise ModelUnsupportedError(
                sentence(
                    "{part} has no input '{name}' of {rank} dimensions; export the folder with Optimum's "
                    "Stable Diffusion exporter.",
                    part=self,
                    name=name,
                    rank=rank,
                )
            )
        return found

    def only(self, known: tuple[str, ...]) -> None:
        """Raise ModelUnsupportedError if there are unknown inputs."""
        others = [each.name for each in self.inputs if each.name not in known]
        if others:
            raise ModelUnsupportedError(
                sentence(
                    "{part} takes {others}, which pipelines of SD 1.x, SD-Turbo and LCM don't; choose a "
                    "folder of one of these.",
                    part=self,
                    others=", ".join(f"'{name}'" for name in others),
                )
            )


def read_part(folder: Path, kind: str) -> Part | None:
    """Read `kind/model.onnx` or `kind.onnx`; None without; raise ModelInvalidError if a file is damaged."""
    path = part_path(folder, kind)
    if path is None:
        return None
    config = path.parent / _CONFIG
    stated = Document.read(config) if path.name == MODEL and config.exists() else Document(_CONFIG, {})
    with about(named(kind, path)):
        return _read(path, kind, stated)


def named(kind: str, path: Path) -> str:
    """Return the name of a part for messages: 'unet/model.onnx', or 'taesd_decoder.onnx'."""
    return f"{kind}/{path.name}" if path.parent.name == kind else path.name


@contextmanager
def about(part: Part | str) -> Iterator[None]:
    """Make errors of a model name the part: all of them have a `model.onnx`."""
    try:
        yield
    except ModelUnsupportedError as error:
        raise ModelUnsupportedError(_about(part, error), error.refusals) from error
    except ModelInvalidError as error:
        raise ModelInvalidError(_about(part, error)) from error
    except ModelAwayError:
        raise
    except ModelError as error:
        raise ModelError(_about(part, error)) from error


def _about(part: Part | str, error: ModelError) -> str:
    # A file with a unique name is named by it.
    return joined(": ", (str(part), str(error))) if "/" in str(part) else str(error)


def _read(path: Path, kind: str, stated: Document) -> Part:
    file = NetworkFile.open(path)
    try:
        if file.format != ONNX:
            raise ModelInvalidError(sentence("{name} is not an ONNX file; export it again.", name=path))
        proto, _ = file.take_bare()
    finally:
        file.release()
    check_external(proto, path)
    names = {tensor.name for tensor in proto.graph.initializer}
    inputs = [value for value in proto.graph.input if value.name not in names]
    weights, item = _weights(proto.graph.initializer)
    return Part(kind, path, _infos(inputs, path), _infos(proto.graph.output, path), stated, weights, item)


def _weights(tensors: Any) -> tuple[int, int]:
    sizes = [(math.prod(tensor.dims), tensor.data_type) for tensor in tensors]
    _, dtype = max(sizes, default=(0, onnx.TensorProto.FLOAT))
    return sum(size for size, _ in sizes), _BYTES.get(dtype, 4)


def _infos(values: Any, path: Path) -> tuple[TensorInfo, ...]:
    if not 1 <= len(values) <= _MOST_PORTS:
        raise ModelInvalidError(
            sentence(
                "{name} has {count} inputs or outputs; export it again.", name=path.name, count=len(values)
            )
        )
    return tuple(_info(value, path) for value in values)


def _info(value: Any, path: Path) -> TensorInfo:
    tensor = value.type.tensor_type
    dims = tuple(d.dim_value if d.dim_value > 0 else 0 for d in tensor.shape.dim)
    try:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type).name
    except (KeyError, TypeError, ValueError) as error:
        raise ModelInvalidError(
            sentence("'{port}' of {name} has no type; export it again.", port=value.name, name=path.name)
        ) from error
    if len(dims) > _MOST_RANK:
        raise ModelInvalidError(
            sentence(
                "'{port}' of {name} has {rank} dimensions.", port=value.name, name=path.name, rank=len(dims)
            )
        )
    return TensorInfo(value.name, dims, dtype)
