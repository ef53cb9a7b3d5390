"""A network's file with what is known of it: what it says itself, and what is stated beside it or in the box.

A network on a server is one too: what stands for its file is an outline that its metadata make.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol, Self

from desktop.compute.models.builtin import Statement, find_model, read_statement
from desktop.compute.models.facts import ModelFacts, facts_of
from desktop.compute.models.folders import refuse_folder
from desktop.compute.models.remote import REMOTE, RemoteNetwork, look_up
from desktop.compute.net.inference.address import is_remote, parse_address
from desktop.compute.nn.frontends.network_file import NetworkFile, Stamp


class Opened(Protocol):
    """Who may have a file open already: `OpenModels`."""

    def take(self, named: str) -> ModelFile | None:
        """Hand over the open file of what a setup names, None where there is none."""


class ModelFile(NetworkFile):
    """A `NetworkFile` with the evidence in it. Opened once: by a drop, a command or a stage, which passes it down.

    `facts` outlive the bytes: asked for once, they are there after `release`.
    """

    def __init__(self, path: Path, data: bytes, stamp: Stamp) -> None:
        """Use `open` or `find`."""
        super().__init__(path, data, stamp)
        self._facts: ModelFacts | None = None
        self._statement: Statement | None = None
        self._remote: RemoteNetwork | None = None

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file, or ask the server of an address.

        Raises:
            ModelInvalidError: the file cannot be read, is no file, or is larger than ONNX allows.
            ModelError: the server cannot be reached, or tells too little; the user has not allowed its host.
            UsageError: it is no right address.
        """
        if not is_remote(os.fspath(path)):
            refuse_folder(os.fspath(path))
            return super().open(path)
        remote, outline = look_up(parse_address(os.fspath(path)))
        file = cls(remote.path, outline, (0, 0))
        file._remote, file._format = remote, REMOTE
        return file

    @property
    def remote(self) -> RemoteNetwork | None:
        """What its server says of it; None for a file."""
        return self._remote

    @property
    def named(self) -> str:
        """How a setup names it: its path, or its address."""
        return str(self._remote.address) if self._remote is not None else str(self.path)

    def is_current(self) -> bool:
        """See `NetworkFile`. What a server has is asked again when it is connected to."""
        return self._remote is not None or super().is_current()

    def release(self) -> None:
        """See `NetworkFile`. An outline is small, and can't be read again."""
        if self._remote is None:
            super().release()

    @classmethod
    def find(cls, name: str, opened: Opened | None = None) -> ModelFile:
        """Open what a model parameter names: a network in the box, or a path; `opened` may have it open already.

        Raises:
            ModelInvalidError: there is no such network, its settings cannot be read, or its file cannot.
            UsageError: no network is named.
        """
        if is_remote(name):
            return (opened.take(str(parse_address(name))) if opened is not None else None) or cls.open(name)
        path, statement = find_model(name)
        file = (opened.take(str(path)) if opened is not None else None) or cls.open(path)
        file._statement = statement
        return file

    @property
    def facts(self) -> ModelFacts:
        """What the file says about its inputs and outputs. Imports onnx.

        Raises:
            ModelInvalidError: not a readable ONNX model, or one without an input or an output.
        """
        if self._facts is None:
            self._facts = facts_of(self.bare, self.name, self.weights)
        return self._facts

    @property
    def statement(self) -> Statement:
        """What its sidecar, or its table in the box, says of it.

        Raises:
            ModelInvalidError: the sidecar cannot be read.
        """
        if self._statement is None:
            self._statement = read_statement(self.path)
        return self._statement


Model = str | os.PathLike[str] | ModelFile
"""What functions take that need a network: an open file, or a path or an address that they open themselves."""
