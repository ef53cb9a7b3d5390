"""Documents of the control API, as frozen dataclasses; their JSON schemas are derived from the types."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

Value = bool | int | float | str | tuple[float, ...]
"""Value of a parameter, as in a preset."""


@dataclass(frozen=True)
class SourceState:
    """The source that plays.

    Attributes:
        kind: 'video', 'camera', 'screen', 'stream', 'image', 'folder' or 'sample'.
        duration, position: seconds; null where there is no time line.
    """

    title: str
    kind: str
    is_live: bool
    duration: float | None
    position: float | None


@dataclass(frozen=True)
class LookState:
    """The look that the chain began with; `is_changed` after an edit."""

    title: str
    is_changed: bool


@dataclass(frozen=True)
class SetListState:
    """The set list: the titles of its looks, and the place in it, from 0; null before the first step."""

    place: int | None
    titles: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """State of the window.

    Attributes:
        effects: number of stages of the chain.
        undo, redo: names of the steps that would be undone or repeated; '' for none.
    """

    version: str
    source: SourceState | None
    is_playing: bool
    is_recording: bool
    look: LookState | None
    set_list: SetListState
    effects: int
    undo: str
    redo: str


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be set.

    Attributes:
        name: as in presets; 'opacity' and 'enabled' belong to every stage.
        type: 'float', 'int', 'bool', 'choice', 'color', 'point' or 'text'.
        scale: shown value of 1.0; 100 for a percentage.
        choices, titles: values of a choice, and their names for people.
        is_used: false while other parameters have it ignored.
    """

    name: str
    label: str
    type: str
    value: Value
    min: float | None = None
    max: float | None = None
    step: float | None = None
    unit: str = ""
    scale: float = 1.0
    choices: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    is_used: bool = True


@dataclass(frozen=True)
class Stage:
    """A stage of the chain; `id` stays with it when it moves."""

    id: int
    filter: str
    title: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Parameters:
    """The chain's stages, first to last."""

    stages: tuple[Stage, ...]


@dataclass(frozen=True)
class ListedLook:
    """A look that can be applied by its name."""

    name: str
    title: str
    purpose: str
    is_own: bool


@dataclass(frozen=True)
class Looks:
    """The bundled looks, then the user's."""

    looks: tuple[ListedLook, ...]


@dataclass(frozen=True)
class Refusal:
    """Reason why a request was not carried out, in one sentence."""

    error: str


Document = State | Parameters | Looks
DOCUMENTS: Final = (
    State,
    SourceState,
    LookState,
    SetListState,
    Parameters,
    Stage,
    Parameter,
    Looks,
    ListedLook,
    Refusal,
)
_PLAIN: Final[Mapping[object, str]] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    types.NoneType: "null",
}


def json_of(document: Any) -> Any:
    """Return a document as JSON has it."""
    return dataclasses.asdict(document)


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of one of `DOCUMENTS`, which refers to others by their names."""
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": {name: _schema(hint) for name, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }


def reference(kind: type) -> dict[str, str]:
    """Return a reference to a document's schema."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _schema(hint: Any) -> dict[str, Any]:
    origin = get_origin(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return reference(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each) for each in get_args(hint)]}
    if origin is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    return {"type": _PLAIN[hint]}
