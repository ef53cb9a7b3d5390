"""A network's file, opened once and passed to all code that needs its bytes, hash or parsed content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.formats import ONNX, TFLITE, TORCH, format_of, parse_network, read_network
from desktop.compute.nn.frontends.weights import Weights, without_weights

if TYPE_CHECKING:
    from desktop.compute.nn.frontends.tflite_reader import Network  # imports the schema's accessors

Stamp = tuple[int, int]


def _stamp(path: Path) -> Stamp:
    """Size and time of change; zeros for what is not there."""
    try:
        stat = path.stat()
    except (OSError, ValueError):
        return (0, 0)
    return stat.st_size, stat.st_mtime_ns


def _with_named_scores(proto: Any) -> bool:
    from desktop.compute.nn.frontends.named_scores import name_scores  # imports onnx

    return name_scores(proto)


class NetworkFile:
    """Content of a path when it was opened: bytes, their SHA-256, and the `onnx.ModelProto` in them.

    It is immutable and parsed on first use. Bytes and parsed model (`proto`) are as large as the weights, so
    this package takes the model without them (`bare`) and the weights as views of the bytes (`weights`).
    `take_proto` and `take_bare` hand a parsed model over, `release` drops the rest; bytes requested later are
    read again. One thread at a time. Not a memory map: truncating the file would end the process (SIGBUS).

    Attributes:
        size: in bytes.
        format: '.tflite', '.pt2' or '.pt' by the bytes, else '.onnx', whose reader refuses other files.
    """

    def __init__(self, path: Path, data: bytes, stamp: Stamp) -> None:
        """Use `open`."""
        self.path = path
        self._stamp = stamp
        self._data: bytes | None = data
        self.size = len(data)
        self._proto: Any = None
        self._bare: Any = None
        self._weights: Weights | None = None
        self._is_renamed: bool | None = None  # not known before it is parsed
        self.format = format_of(data)
        self._sha256 = ""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file; raise ModelInvalidError if unreadable, no file, or larger than ONNX allows."""
        path = Path(path)
        stamp = _stamp(path)  # before its bytes: what is written meanwhile counts as a change
        return cls(path, read_network(path), stamp)

    @classmethod
    @contextmanager
    def opened(cls, model: str | os.PathLike[str] | Self) -> Iterator[Self]:
        """Yield an open file as it is, or open a path (errors: see `open`) and release it at the end."""
        if isinstance(model, cls):
            yield model
            return
        assert not isinstance(model, NetworkFile)
        file = cls.open(model)
        try:
            yield file
        finally:
            file.release()

    @property
    def name(self) -> str:
        """The path's last part, for sentences."""
        return self.path.name

    def is_current(self) -> bool:
        """True while what lies at the path is as it was when it was opened, by its size and time."""
        return _stamp(self.path) == self._stamp

    @property
    def data(self) -> bytes:
        """The whole file; raise ModelInvalidError if it was released and is now unreadable or different."""
        if self._data is None:
            if not self.is_current():
                raise ModelInvalidError(
                    sentence("{name} was changed while it was being loaded; load it again.", name=self.name)
                )
            self._data = read_network(self.path)
        return self._data

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes, in hexadecimal digits."""
        if not self._sha256:
            self._sha256 = hashlib.sha256(self.data).hexdigest()
        return self._sha256

    @property
    def proto(self) -> Any:
        """The unchecked, shared `onnx.ModelProto` with all weights, to be read only. Imports onnx.

        A classifier's maps from names to scores become scores (frontends/named_scores.py). Of TensorFlow Lite
        and PyTorch files it is an outline without weights (frontends/outline.py); a TorchScript one is run in
        a process of its own for that.

        Raises:
            ModelInvalidError: the bytes are not ONNX, or a TensorFlow Lite or PyTorch file is damaged.
            ModelUnsupportedError: a PyTorch file that must not run, or PyTorch is missing.
        """
        if self._proto is None:
            self._proto = self._parsed(self.data)
        return self._proto

    @property
    def bare(self) -> Any:
        """As `proto`, also its errors, but without the values of large tensors (see `weights`)."""
        if self._bare is None:
            data, self._weights = (
                without_weights(self.data) if self.format == ONNX else (self.data, Weights())
            )
            self._bare = self._parsed(data)
        return self._bare

    @property
    def weights(self) -> Weights:
        """The values that `bare` lacks, as views that keep the bytes in memory; errors as for `proto`."""
        if self._weights is None:
            _ = self.bare
        assert self._weights is not None
        return self._weights

    def _parsed(self, data: bytes) -> Any:
        if self.format == TFLITE:
            from desktop.compute.nn.frontends.outline import outline

            return outline(self.tflite, self.data)
        if self.format in TORCH:
            from desktop.compute.nn.frontends.pytorch.outline import file_outline

            return file_outline(self.data, self.format, self.name)
        found = parse_network(self.path, data)
        self._is_renamed = _with_named_scores(found)
        return found

    @property
    def runnable(self) -> bytes:
        """The bytes of an ONNX network for another engine: the file's own if it needs no named scores."""
        if self._is_renamed is None:
            _ = self.bare
        return bytes(self.proto.SerializeToString()) if self._is_renamed else self.data

    @property
    def tflite(self) -> Network:
        """Return a TensorFlow Lite network of views of the bytes; raise ModelInvalidError if damaged."""
        from desktop.compute.nn.frontends.tflite_reader import read_tflite

        return read_tflite(self.data, self.path)

    def take_proto(self) -> Any:
        """Return the parsed model, which the caller then owns and may change; errors as for `proto`."""
        proto, self._proto = self.proto, None
        return proto

    def take_bare(self) -> tuple[Any, Weights]:
        """As `take_proto`, of `bare`, with the weights that it lacks; errors as for `proto`."""
        found = self.bare, self.weights
        self._bare = self._weights = None
        return found

    def release(self) -> None:
        """Let go of the bytes and of the parsed model."""
        self._data = self._proto = self._bare = self._weights = None


Model = str | os.PathLike[str] | NetworkFile
"""Argument of functions that need a network's file: an open one, or a path that they open."""
