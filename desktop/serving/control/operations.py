"""The requests, each declared once: address, body, response and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from desktop.base.fields import Flag, Integer, Number
from desktop.serving.control.bodies import Member, ValueTable
from desktop.serving.control.documents import Document, Looks, Parameters, State
from desktop.serving.control.program import Program

_LONGEST_S: Final = 1e7
_GREATEST_ID: Final = 1 << 31


@dataclass(frozen=True)
class Call:
    """A request: `name` of its address, and the checked members of its body."""

    name: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    """A request that the server takes.

    Attributes:
        path: below '/v1/'; '{name}' stands for one part.
        returns: the document of the response.
        run: carries it out, on the program's thread.
    """

    id: str
    method: Literal["GET", "PATCH", "POST"]
    path: str
    summary: str
    returns: type
    run: Callable[[Program, Call], Document]
    body: tuple[Member, ...] = ()

    @property
    def has_name(self) -> bool:
        """True if the address has a name in it."""
        return "{name}" in self.path


def _then_state(act: Callable[[Program, Call], object]) -> Callable[[Program, Call], State]:
    def run(program: Program, call: Call) -> State:
        act(program, call)
        return program.state()

    return run


def _set_values(program: Program, call: Call) -> Parameters:
    program.set_values(call.body["stage"], call.body["values"])
    return program.parameters()


def _post(
    name: str, path: str, summary: str, act: Callable[[Program, Call], object], *body: Member
) -> Operation:
    return Operation(name, "POST", path, summary, State, _then_state(act), body)


OPERATIONS: Final = (
    Operation("getState", "GET", "state", "What is shown and done.", State, lambda p, _: p.state()),
    Operation(
        "getParameters",
        "GET",
        "parameters",
        "The chain's stages with the parameters that can be set.",
        Parameters,
        lambda p, _: p.parameters(),
    ),
    Operation(
        "setParameters",
        "PATCH",
        "parameters",
        "Set parameters of a stage; all of them, or none if one is invalid.",
        Parameters,
        _set_values,
        (
            Member(Integer("stage", 0, 0, _GREATEST_ID, help="Id of the stage.")),
            Member(ValueTable("values", help="Values by the parameters' names.")),
        ),
    ),
    Operation("getLooks", "GET", "looks", "The looks that can be applied.", Looks, lambda p, _: p.looks()),
    _post(
        "applyLook",
        "looks/{name}/apply",
        "Begin to apply a look.",
        lambda p, call: p.apply_look(call.name, call.body.get("fade")),
        Member(
            Number(
                "fade", 0.0, 0.0, 60.0, help="Seconds of the cross-fade; by default that of the preferences."
            ),
            is_required=False,
        ),
    ),
    _post("nextLook", "set-list/next", "Go to the set list's next look.", lambda p, _: p.step_set_list(1)),
    _post(
        "previousLook",
        "set-list/previous",
        "Go to the set list's previous look.",
        lambda p, _: p.step_set_list(-1),
    ),
    _post("play", "play", "Play; after the end, from the start.", lambda p, _: p.play(True)),
    _post("pause", "pause", "Pause.", lambda p, _: p.play(False)),
    _post(
        "seek",
        "seek",
        "Go to a time.",
        lambda p, call: p.seek(call.body["position"]),
        Member(Number("position", 0.0, 0.0, _LONGEST_S, help="Seconds from the start.")),
    ),
    _post(
        "record",
        "record",
        "Start a recording, or end it.",
        lambda p, call: p.record(call.body["on"]),
        Member(Flag("on", False)),
    ),
    _post("snapshot", "snapshot", "Save the frame that is shown.", lambda p, _: p.snapshot()),
    _post("undo", "undo", "Undo the last step.", lambda p, _: p.undo()),
    _post("redo", "redo", "Repeat the step that was undone last.", lambda p, _: p.redo()),
)


def find_operation(method: str, parts: list[str]) -> tuple[Operation, str] | None:
    """Return the operation of an address below '/v1/' and the name in it; None for unknown ones."""
    for operation in OPERATIONS:
        pattern = operation.path.split("/")
        if operation.method != method or len(pattern) != len(parts):
            continue
        if all(want in ("{name}", part) for want, part in zip(pattern, parts, strict=True)):
            name = next((part for want, part in zip(pattern, parts, strict=True) if want == "{name}"), "")
            return operation, name
    return None


def methods_of(parts: list[str]) -> list[str]:
    """Return the methods that an address takes; empty for an unknown one."""
    return [method for method in ("GET", "PATCH", "POST") if find_operation(method, parts) is not None]
