"""A network's file: opened once, and passed to all code that needs its bytes, its hash or its parsed content."""

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

    Nothing outside changes it. The bytes are read when it is opened, the rest is made on first use. The bytes
    are as large as the weights. So is the parsed model with them (`proto`), for code that writes it again;
    this package takes it without (`bare`), and the weights as they stand in the bytes (`weights`). All of it
    is let go of: `take_proto` and `take_bare` hand a parsed model over, `release` drops the rest. What is
    small stays (path, hash, and what a subclass found). Who asks for the bytes after that has the file read
    again; the programs' own ways never do, and a test counts it.

    One thread at a time; it may be handed from one to another.

    Weighed: a memory map, which would cost no memory, but a file that is cut off meanwhile ends the process
    (SIGBUS).

    Attributes:
        path: where it lies.
        size: in bytes.
        format: the ending of what the bytes are: '.tflite', '.pt2', '.pt', else '.onnx', whose reader refuses
            what is no network.
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
        """Read a file.

        Raises:
            ModelInvalidError: it cannot be read, is no file (a device could be read for ever), or is larger
                than ONNX allows.
        """
        path = Path(path)
        stamp = _stamp(path)  # before its bytes: what is written meanwhile counts as a change
        return cls(path, read_network(path), stamp)

    @classmethod
    @contextmanager
    def opened(cls, model: str | os.PathLike[str] | Self) -> Iterator[Self]:
        """Give an open file as it is, or open a path and release it at the end. What takes a model takes
        both, by this.

        Raises:
            ModelInvalidError: see `open`.
        """
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
        """The whole file.

        Raises:
            ModelInvalidError: it was let go of, and cannot be read any more or holds something else now.
        """
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
        """The parsed `onnx.ModelProto` with all weights, of which nothing has been checked. To be read only:
        it is shared. Imports onnx.

        A classifier that gives maps from names to scores has scores, and the names among its metadata
        (frontends/named_scores.py).

        Of a TensorFlow Lite file an outline: its operators under ONNX's names, without weights
        (frontends/outline.py). Of a PyTorch file likewise; a TorchScript one says nothing of itself, so that
        it is run in a process of its own to learn what it takes.

        Raises:
            ModelInvalidError: the bytes are not ONNX, or a TensorFlow Lite or PyTorch file is damaged.
            ModelUnsupportedError: a PyTorch file that is not to be run, or for which PyTorch is missing.
        """
        if self._proto is None:
            self._proto = self._parsed(self.data)
        return self._proto

    @property
    def bare(self) -> Any:
        """As `proto`, but without the values of large tensors, which `weights` has.

        Raises:
            ModelInvalidError, ModelUnsupportedError: see `proto`.
        """
        if self._bare is None:
            data, self._weights = (
                without_weights(self.data) if self.format == ONNX else (self.data, Weights())
            )
            self._bare = self._parsed(data)
        return self._bare

    @property
    def weights(self) -> Weights:
        """The values that `bare` has not, as they stand in the bytes, which stay for as long as one of them
        is held.

        Raises:
            ModelInvalidError, ModelUnsupportedError: see `proto`.
        """
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
        """The bytes of an ONNX network for another engine: the file's own, but where its scores came as maps
        (see `proto`).

        Raises:
            ModelInvalidError: see `proto`.
        """
        if self._is_renamed is None:
            _ = self.bare
        return bytes(self.proto.SerializeToString()) if self._is_renamed else self.data

    @property
    def tflite(self) -> Network:
        """Return the network in a TensorFlow Lite file; its constants are views of the bytes.

        Raises:
            ModelInvalidError: it is damaged.
        """
        from desktop.compute.nn.frontends.tflite_reader import read_tflite

        return read_tflite(self.data, self.path)

    def take_proto(self) -> Any:
        """Return the parsed model and let go of it: the caller alone has it, may change it, and frees it by
        forgetting it.

        Raises:
            ModelInvalidError: see `proto`.
        """
        proto, self._proto = self.proto, None
        return proto

    def take_bare(self) -> tuple[Any, Weights]:
        """As `take_proto`, of `bare`; with what that has not.

        Raises:
            ModelInvalidError: see `proto`.
        """
        found = self.bare, self.weights
        self._bare = self._weights = None
        return found

    def release(self) -> None:
        """Let go of the bytes and of the parsed model."""
        self._data = self._proto = self._bare = self._weights = None


Model = str | os.PathLike[str] | NetworkFile
"""Argument of functions that need a network's file: an open one, or a path that they open."""
