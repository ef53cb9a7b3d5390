"""A network's file (for one on a server, an outline from its metadata) with its facts and settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol, Self

from desktop.base.wording import sentence
from desktop.compute.nn.frontends.network_file import NetworkFile, Stamp
from desktop.net.inference.address import is_remote, parse_address
from desktop.vision.models.builtin import Statement, find_model, read_statement, statement_of
from desktop.vision.models.facts import ModelFacts, facts_of
from desktop.vision.models.folders import refuse_folder
from desktop.vision.models.processor_config import processor_values
from desktop.vision.models.remote import REMOTE, RemoteNetwork, query_network
from desktop.vision.models.served import Served
from desktop.vision.models.settings import read_settings
from desktop.vision.models.sidecar import settings_path


class Opened(Protocol):
    """Provider of files that may be open already: `OpenModels`."""

    def take(self, named: str) -> ModelFile | None:
        """Hand over the open file that a setup names, None if there is none."""


class ModelFile(NetworkFile):
    """A `NetworkFile` with its settings, and facts that remain after `release`."""

    def __init__(self, path: Path, data: bytes, stamp: Stamp) -> None:
        """Use `open` or `find`."""
        super().__init__(path, data, stamp)
        self._facts: ModelFacts | None = None
        self._statement: Statement | None = None
        self._remote: RemoteNetwork | None = None

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file, or query the server of an address.

        Raises ModelInvalidError for a file that is unreadable or larger than ONNX allows, ModelError for a
        server that is unknown, incomplete or not allowed, UsageError for a malformed address.
        """
        if not is_remote(os.fspath(path)):
            refuse_folder(os.fspath(path))
            return super().open(path)
        remote, outline = query_network(parse_address(os.fspath(path)))
        file = cls(remote.path, outline, (0, 0))
        file._remote, file.format = remote, REMOTE
        return file

    @property
    def remote(self) -> RemoteNetwork | None:
        """The server's metadata; None for a file."""
        return self._remote

    @property
    def served(self) -> Served | None:
        """The server's description of the network; None for a file, and for servers that publish none."""
        return self._remote.served if self._remote is not None else None

    @property
    def named(self) -> str:
        """The name in a setup: its path, or its address."""
        return str(self._remote.address) if self._remote is not None else str(self.path)

    def is_current(self) -> bool:
        """See `NetworkFile`. A server's metadata is queried again on connecting."""
        return self._remote is not None or super().is_current()

    def release(self) -> None:
        """See `NetworkFile`. An outline is small, and can't be read again."""
        if self._remote is None:
            super().release()

    @classmethod
    def find(cls, name: str, opened: Opened | None = None) -> ModelFile:
        """Open the network of a model parameter, or take it from `opened`; raise as `find_model`, `open`."""
        if is_remote(name):
            return (opened.take(str(parse_address(name))) if opened is not None else None) or cls.open(name)
        path, statement = find_model(name)
        file = (opened.take(str(path)) if opened is not None else None) or cls.open(path)
        file._statement = statement
        return file

    @property
    def facts(self) -> ModelFacts:
        """Facts about the inputs and outputs. Imports onnx; raises ModelInvalidError for an invalid model."""
        if self._facts is None and self.served is not None:
            self._facts = self.served.facts
        elif self._facts is None:
            self._facts = facts_of(self.bare, self.name, self.weights)
        return self._facts

    @property
    def statement(self) -> Statement:
        """Settings from its sidecar or built-in table; raises ModelInvalidError if they are unreadable."""
        if self._statement is None:
            self._statement = read_statement(self.path)
            if self.served is not None:
                self._statement = statement_of(self.settings, self.settings_origin)
        return self._statement

    @property
    def settings(self) -> dict[str, Any]:
        """All entries of its sidecar over those from its server; none of a sidecar that is invalid TOML."""
        found = read_settings(self.path)
        stated = self.served.settings if self.served is not None else {}
        tables = {
            name: {**table, **found[name]}
            for name, table in stated.items()
            if isinstance(table, dict) and isinstance(found.get(name), dict)
        }
        return {**stated, **found, **tables}

    @property
    def settings_origin(self) -> str:
        """Origin of `settings`, for a sentence."""
        path = settings_path(self.path)
        return path.name if self.served is None or path.is_file() else sentence("the server")

    @property
    def processor(self) -> dict[str, Any]:
        """Fields of `Preprocess` from transformers' file in its folder."""
        if self.served is not None:
            return self.served.processor
        return processor_values(self.path, self.facts.input_name)


Model = str | os.PathLike[str] | ModelFile
"""Parameter type for a network: an open file, or a path or address that the function opens."""
