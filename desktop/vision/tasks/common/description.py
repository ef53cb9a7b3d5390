"""Describe a network for the clients of a server: contents of its file and sidecar files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from desktop.vision.models.builtin import read_statement
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.labels import LABEL_KEYS, read_labels, sidecar_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.served import Served
from desktop.vision.models.sidecar import read_settings, settings_path
from desktop.vision.tasks.common.bounds import output_bounds

_ABOUT: Final = frozenset({"title", "help", "licence", "card", "labels"})
"""Keys of a built-in network's table that are about its page in the library."""


def described(file: ModelFile) -> Served:
    """Describe an open network; raise ModelInvalidError if its settings or labels cannot be read."""
    facts = _with_names(file)
    bounds = {info.name: output_bounds(file.bare, info.name) for info in facts.outputs}
    known = {name: pair for name, pair in bounds.items() if pair is not None}
    return Served(facts, _settings(file), file.processor, known)


def _settings(file: ModelFile) -> dict[str, Any]:
    path = settings_path(file.path)
    if not path.is_file():
        return {}
    read_statement(file.path)  # so that errors are reported here, not to clients
    return {key: value for key, value in read_settings(path).items() if key not in _ABOUT}


def _with_names(file: ModelFile) -> ModelFacts:
    """Return the facts with the names of a label file in place of the metadata's."""
    path = sidecar_labels(file.path)
    if path is None:
        return file.facts
    names = {key: text for key, text in file.facts.metadata.items() if key not in LABEL_KEYS}
    found = read_labels(path).reading(file.facts.classes)
    return replace(file.facts, metadata={**names, "names": json.dumps(found.names)})
