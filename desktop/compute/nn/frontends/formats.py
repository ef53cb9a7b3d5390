"""Reading a file taken for an ONNX network; if it is none, what it is and what to do instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelInvalidError
from desktop.base.files import read_regular, reason
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.pytorch.archive import EXPORTED, SCRIPT, archive_format
from desktop.compute.nn.frontends.unsupported import unsupported_format

ONNX: Final = ".onnx"
TFLITE: Final = ".tflite"
NETWORKS: Final = (ONNX, TFLITE)
"""Endings of the files that the engine reads networks from."""
TORCH: Final = (EXPORTED, SCRIPT)
"""Endings of what PyTorch writes and its backend reads."""
SCORE_NAMES: Final = "ZipMap"
"""Key of the metadata property that the names of a ZipMap become, as a JSON list (named_scores.py)."""
LARGEST_FILE: Final = 2**31 - 1
"""Bytes: protobuf's own limit for one message."""


def read_network(path: Path) -> bytes:
    """Return a file's bytes; raise ModelInvalidError if unreadable, no file, or larger than ONNX allows."""
    try:
        return read_regular(path, LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise ModelInvalidError(
            sentence(
                "The model {path} cannot be read: {reason}; check the path.", path=path, reason=reason(error)
            )
        ) from error


def format_of(data: bytes) -> str:
    """Return the suffix of a format by its bytes: '.tflite', '.pt2', '.pt', else '.onnx'."""
    return TFLITE if data[4:8] == b"TFL3" else archive_format(data) or ONNX


def parse_network(path: Path, data: bytes) -> Any:
    """Return the `onnx.ModelProto` in bytes, unchecked, without external data; ModelInvalidError if none.

    Not `onnx.load`, which goes by the file's name and also reads text and JSON.
    """
    import onnx
    from google.protobuf.message import DecodeError

    try:
        found = onnx.ModelProto.FromString(data)
    except (DecodeError, ValueError) as error:
        raise not_onnx(path, data) from error
    # Files of protobuf's are alike: one of another format may be read, but has no graph.
    if not found.graph.node and unsupported_format(path, data) is not None:
        raise not_onnx(path, data)
    if not data:
        raise ModelInvalidError(sentence("{name} is empty; download or export it again.", name=path.name))
    return found


def not_onnx(path: Path, data: bytes) -> ModelInvalidError:
    """Return the error for bytes that are no ONNX, naming the format if bytes or file name show it."""
    found = unsupported_format(path, data)
    if found is not None:
        return ModelInvalidError(found.refusal(path.name))
    return ModelInvalidError(
        sentence("{name} is not a readable ONNX network; download or export it again.", name=path.name)
    )
