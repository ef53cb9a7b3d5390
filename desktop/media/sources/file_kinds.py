"""Determine a file's kind: a source (files here that define SOURCE), or another that Lightloom opens. Its
first bytes decide, else its extension: filters, presets and networks are text or protobuf.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from desktop.base.addresses import is_incomplete_address
from desktop.base.discovery import module_names
from desktop.base.errors import SourceNotFoundError, SourceUnsupportedError
from desktop.base.files import is_special, open_regular, reason
from desktop.base.plugins import provided_by_name
from desktop.base.wording import sentence
from desktop.media import sources
from desktop.media.sources.base import SourceKind
from desktop.media.subtitles.tracks import SUFFIXES

DropKind = str
"""A source ('video', ...), 'model', 'filter', 'preset', 'lut', 'subtitles', 'playlist' or 'unknown'."""

# Unsupported network formats count as networks too: the error message explains how to convert them.
_NETWORK_SUFFIXES: Final = (
    *(
        ".onnx",
        ".tflite",
        ".pt2",
        ".pt",
        ".pth",
        ".ckpt",
        ".safetensors",
        ".h5",
        ".keras",
        ".ort",
        ".mlmodel",
        ".task",
    ),
    *(
        ".engine",
        ".plan",
        ".trt",
        ".gguf",
        ".param",
        ".pb",
        ".pdmodel",
        ".pdiparams",
        ".caffemodel",
        ".prototxt",
    ),
    *(".mnn", ".rknn", ".hef", ".weights", ".onnx_data"),
)
# Extensions shared with other kinds: networks only if the first bytes are not those of a playable file.
_SHARED_SUFFIXES: Final = (".bin", ".xml")
_BY_SUFFIX: Final[dict[str, DropKind]] = {
    **dict.fromkeys((".wgsl", ".fs", ".glsl", ".frag"), "filter"),
    ".toml": "preset",
    ".lightloom": "preset",
    ".cube": "lut",
    **dict.fromkeys(SUFFIXES, "subtitles"),
    ".m3u8": "playlist",
    ".m3u": "playlist",
    **dict.fromkeys(_NETWORK_SUFFIXES, "model"),
}
PIPELINE_INDEX: Final = "model_index.json"
"""File that identifies a folder as a pipeline of networks by diffusers or Optimum (docs/diffusion.md)."""
_HEADER_BYTES: Final = 1 << 20


def is_pipeline(path: Path | str) -> bool:
    """Return whether a path is a pipeline's folder, as diffusers and Optimum export it."""
    try:
        return bool(path) and (Path(path) / PIPELINE_INDEX).is_file()
    except (OSError, ValueError):  # longer than the system allows, or with a NUL in it
        return False


def source_kinds(first: str = "") -> Iterator[tuple[str, SourceKind]]:
    """Yield the source kinds by name, `first` first, plug-ins last; each is imported only when yielded."""
    added = provided_by_name("sources")
    if first in added:
        yield first, added.pop(first)
    names = module_names(sources.__name__)
    for name in sorted(names, key=lambda name: name != first):
        kind = getattr(importlib.import_module(f"{sources.__name__}.{name}"), "SOURCE", None)
        if kind is not None:
            yield name, kind
    yield from added.items()


def kind_by_suffix(path: Path) -> DropKind:
    """Return the likely kind of a file by its suffix, without access to the disk, else 'unknown'."""
    return _BY_SUFFIX.get(path.suffix.lower(), "unknown")


def kind_by_name(path: Path) -> DropKind:
    """Return the kind of a file by its name, without opening it (except .ts, .bin and .xml), else 'unknown'.
    Of folders, only a pipeline of networks is known, by its index.

    Raises:
        SourceNotFoundError: the file does not exist or may not be read.
        SourceUnsupportedError: it is a device or a pipe.
    """
    with _reading(path):
        if is_special(path):
            raise SourceUnsupportedError(
                sentence(
                    "{path} is a device or a pipe, not a file: a camera is opened as 'camera:<its name>'.",
                    path=path,
                )
            )
        if is_pipeline(path):
            return "model"
        suffix = path.suffix.lower()
        if suffix == ".ts" and not path.is_dir() and _read_head(path).startswith(b"PK\x03\x04"):
            # TorchScript and MPEG transport streams share this extension, but differ in their first bytes.
            return "model"
        if suffix in _SHARED_SUFFIXES and not path.is_dir():
            return "unknown" if _source_of(path, _read_head(path)) else "model"
        if suffix not in _BY_SUFFIX or path.is_dir():
            return "unknown"
        # The file is read later; this only finds out why it cannot be.
        if not os.access(path, os.R_OK):
            _read_head(path)
        return _BY_SUFFIX[suffix]


def classify_drop(path: Path) -> DropKind:
    """Return the kind of a dropped file or folder, by its name or first bytes. Raises as `kind_by_name`.
    Animated GIF and PNG are videos; animated WebP is an image, as FFmpeg does not decode its animation.
    """
    named = kind_by_name(path)
    if named != "unknown":
        return named
    with _reading(path):
        head = b"" if path.is_dir() else _read_head(path)
    return _source_of(path, head) or "unknown"


def _source_of(path: Path, head: bytes) -> DropKind:
    """Return the name of the source for a file with these first bytes, '' for none."""
    return next((name for name, kind in source_kinds() if kind.takes_file(path, head)), "")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        may_exist = isinstance(error, PermissionError)
        if not may_exist and is_incomplete_address(path.as_posix()):
            # Its text may have a password. Windows has another error for a name with a colon or a quotation mark.
            raise SourceNotFoundError(
                sentence(
                    "There is no file of the name given, which looks like an address; begin an address with its "
                    "scheme, a colon and two slashes, as in rtsp://host/path."
                )
            ) from None
        if isinstance(error, FileNotFoundError):
            raise SourceNotFoundError(
                sentence("There is no file {path}: check its name.", path=path)
            ) from None
        raise SourceNotFoundError(
            sentence(
                "{name} can't be read ({reason}): check its name and permissions.",
                name=path.name,
                reason=reason(error),
            )
        ) from error


def _read_head(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(_HEADER_BYTES)


def is_source(text: str) -> bool:
    """Return whether a name denotes a source: an address, or a file without another kind's extension."""
    return "://" in text or Path(text).suffix.lower() not in _BY_SUFFIX
