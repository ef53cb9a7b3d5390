"""A network's file with what is known of it: what it says itself, and what is stated beside it or in the box."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from desktop.compute.models.builtin import Statement, find_model, read_statement
from desktop.compute.models.facts import ModelFacts, facts_of
from desktop.compute.nn.frontends.network_file import NetworkFile, Stamp


class Opened(Protocol):
    """Who may have a file open already: `OpenModels`."""

    def take(self, path: Path) -> ModelFile | None:
        """Hand over the open file of a path, None where there is none."""


class ModelFile(NetworkFile):
    """A `NetworkFile` with the evidence in it. Opened once: by a drop, a command or a stage, which passes it down.

    `facts` outlive the bytes: asked for once, they are there after `release`.
    """

    def __init__(self, path: Path, data: bytes, stamp: Stamp) -> None:
        """Use `open` or `find`."""
        super().__init__(path, data, stamp)
        self._facts: ModelFacts | None = None
        self._statement: Statement | None = None

    @classmethod
    def find(cls, name: str, opened: Opened | None = None) -> ModelFile:
        """Open what a model parameter names: a network in the box, or a path; `opened` may have it open already.

        Raises:
            ModelInvalidError: there is no such network, its settings cannot be read, or its file cannot.
            UsageError: no network is named.
        """
        path, statement = find_model(name)
        file = (opened.take(path) if opened is not None else None) or cls.open(path)
        file._statement = statement
        return file

    @property
    def facts(self) -> ModelFacts:
        """What the file says about its inputs and outputs. Imports onnx.

        Raises:
            ModelInvalidError: not a readable ONNX model, or one without an input or an output.
        """
        if self._facts is None:
            self._facts = facts_of(self.proto, self.name)
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
"""What functions take that need a network: an open file, or a path that they open themselves."""
