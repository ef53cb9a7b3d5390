"""Reading a file that is taken for an ONNX network; what it is where it is none, in one sentence with what to do instead."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.compute.nn.frontends.pytorch.archive import EXPORTED, SCRIPT, archive_format
from desktop.errors import ModelInvalidError
from desktop.files import read_regular, reason
from desktop.wording import sentence


@dataclass(frozen=True)
class _Format:
    """`marks`: (offset, bytes) that its files begin with, any of them; `advice` goes on after a semicolon."""

    name: str
    marks: tuple[tuple[int, bytes], ...]
    advice: str


ONNX: Final = ".onnx"
TFLITE: Final = ".tflite"
NETWORKS: Final = (ONNX, TFLITE)
"""Endings of the files that the engine reads networks from."""
TORCH: Final = (EXPORTED, SCRIPT)
"""Endings of what PyTorch writes and its backend reads."""
SCORE_NAMES: Final = "ZipMap"
"""Key of the metadata property that the names of a ZipMap become, as a JSON list (named_scores.py)."""
_TF2ONNX: Final = sentence("convert it with tf2onnx")
_FORMATS: Final = (
    _Format(
        sentence("a TensorFlow Lite model"),
        ((4, b"TFL3"),),
        sentence("choose the backend wgpu, which reads it"),
    ),
    _Format(sentence("a Keras or HDF5 file"), ((0, b"\x89HDF\r\n\x1a\n"),), _TF2ONNX),
    # torch.save writes a zip archive, and a pickle before version 1.6. It is not unpickled: that runs whatever it names.
    _Format(
        sentence("a PyTorch file of pickled objects, which may be any program"),
        ((0, b"PK\x03\x04"), (0, b"\x80\x02")),
        sentence(
            "export it with torch.onnx.export, or save the network with torch.export.save or torch.jit.save"
        ),
    ),
    _Format(
        sentence("a file of weights alone (safetensors)"),
        ((8, b'{"'),),
        sentence("export the network with torch.onnx.export"),
    ),
    _Format(
        sentence("in ONNX Runtime's own format"),
        ((4, b"ORTM"),),
        sentence("use the .onnx file that it was made from"),
    ),
    _Format(
        sentence("an ncnn network"), ((0, b"7767517"),), sentence("use the .onnx file that it was made from")
    ),
    _Format(
        sentence("a pointer of Git LFS"),
        ((0, b"version https://git-lfs"),),
        sentence("fetch the file itself with 'git lfs pull'"),
    ),
    _Format(
        sentence("a web page"),
        ((0, b"<!DOCTYPE"), (0, b"<!doctype"), (0, b"<html")),
        sentence("download the file that the page leads to"),
    ),
)
_LONGEST_MARK: Final = 64
LARGEST_FILE: Final = 2**31 - 1
"""Bytes: protobuf's own limit for one message."""


def read_network(path: Path) -> bytes:
    """Return the bytes of a network's file, whatever they are.

    Raises:
        ModelInvalidError: it cannot be read, is no file (a device could be read for ever), or is larger than ONNX allows.
    """
    try:
        return read_regular(path, LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise ModelInvalidError(
            sentence(
                "The model {path} cannot be read: {reason}; check the path.", path=path, reason=reason(error)
            )
        ) from error


def format_of(data: bytes) -> str:
    """Return the ending of a network's format by its bytes: '.tflite', '.pt2', '.pt', or '.onnx' for all that does not say what it is."""
    return TFLITE if data[4:8] == b"TFL3" else archive_format(data) or ONNX


def parse_network(path: Path, data: bytes) -> Any:
    """Return the `onnx.ModelProto` that bytes hold, unchecked; external data is not read. `path` is for messages.

    Not `onnx.load`, which goes by the file's name and reads text and JSON too.

    Raises:
        ModelInvalidError: not ONNX.
    """
    import onnx
    from google.protobuf.message import DecodeError

    try:
        return onnx.ModelProto.FromString(data)
    except (DecodeError, ValueError) as error:
        raise not_onnx(path, data) from error


def not_onnx(path: Path, data: bytes) -> ModelInvalidError:
    """Return the error for bytes that could not be parsed as ONNX; it names the format where the first of them tell."""
    head = data[:_LONGEST_MARK]
    for each in _FORMATS:
        if any(head[at : at + len(mark)] == mark for at, mark in each.marks):
            return ModelInvalidError(
                sentence(
                    "{name} is {each_name}, not an ONNX network; {advice}.",
                    name=path.name,
                    each_name=each.name,
                    advice=each.advice,
                )
            )
    return ModelInvalidError(
        sentence("{name} is not a readable ONNX network; download or export it again.", name=path.name)
    )
