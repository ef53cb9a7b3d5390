"""A program to be controlled without a window, its server, and a client that reads the OpenAPI document alone."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from desktop.base.errors import FilterError, ServingError
from desktop.serving.control.access import Peers
from desktop.serving.control.documents import (
    ListedLook,
    Looks,
    LookState,
    Parameter,
    Parameters,
    SetListState,
    SourceState,
    Stage,
    State,
)
from desktop.serving.control.page import Page, make_page
from desktop.serving.control.server import ControlServer

TOKEN = "abcd-efgh-jkmn-pqrs"


class SampleProgram:
    """A stand-in for the window that records its calls; it has one stage, with a radius from 0 to 20."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.radius = 4.0
        self.playing = False

    def state(self) -> State:
        source = SourceState("clip.mp4", "video", False, 10.0, 2.5)
        return State(
            "0.1.0",
            source,
            self.playing,
            False,
            LookState("Night city", True),
            SetListState(None, ("A", "B")),
            1,
            "",
            "",
        )

    def parameters(self) -> Parameters:
        radius = Parameter("radius", "Radius", "float", self.radius, 0.0, 20.0, 0.1, "px")
        return Parameters((Stage(1, "gaussian_blur", "Gaussian blur", (radius,)),))

    def looks(self) -> Looks:
        return Looks((ListedLook("night_city", "Night city", "A city at night.", False),))

    def set_values(self, stage: int, values: Mapping[str, Any]) -> None:
        if stage != 1:
            raise ServingError("missing", "There is no such stage; read /v1/parameters.")
        if not 0.0 <= values["radius"] <= 20.0:
            raise FilterError("'radius' takes 0 to 20.")
        self.calls.append(("set_values", stage, dict(values)))
        self.radius = values["radius"]

    def apply_look(self, name: str, fade_s: float | None) -> None:
        self.calls.append(("apply_look", name, fade_s))

    def step_set_list(self, by: int) -> None:
        self.calls.append(("step", by))

    def play(self, playing: bool) -> None:
        self.playing = playing

    def seek(self, position: float) -> None:
        self.calls.append(("seek", position))

    def record(self, on: bool) -> None:
        self.calls.append(("record", on))

    def snapshot(self) -> None:
        self.calls.append(("snapshot",))

    def undo(self) -> None:
        raise RuntimeError("a bug")

    def redo(self) -> None:
        self.calls.append(("redo",))


class ControlRig:
    """A server and its program, which has a thread of its own that can be held."""

    def __init__(self, *, page: Page | None = None, peers: Peers | None = None) -> None:
        self.program = SampleProgram()
        self._due: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.may_run = threading.Event()
        self.may_run.set()
        self.server = ControlServer(
            self.program, TOKEN, page or make_page({}, "en"), lambda: self._due.put(True), peers=peers
        )
        self.server.start(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._due.get():
            self.may_run.wait()
            self.server.run_due()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = TOKEN, **headers: str
    ) -> tuple[int, Any]:
        """Return the status and the JSON of a response; `headers` with '_' for '-'."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        connection = self.connection()
        try:
            connection.request(method, path, data, sent)
            response = connection.getresponse()
            text = response.read()
            is_json = response.headers.get_content_type() == "application/json"
            return response.status, json.loads(text) if is_json else text
        finally:
            connection.close()

    def __enter__(self) -> ControlRig:
        return self

    def __exit__(self, *_: object) -> None:
        self.may_run.set()
        self.server.close()
        self._due.put(False)
        self._thread.join()


class OpenApiClient:
    """Makes requests by their operation ids and checks bodies and responses against the document's schemas."""

    def __init__(self, rig: ControlRig) -> None:
        self._rig = rig
        self.document = rig.ask("GET", "/openapi.json", token=None)[1]
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        }

    def call(self, operation_id: str, body: Any = None, **names: str) -> Any:
        """Return the response's document, which is valid for its status."""
        method, path, operation = self.operations[operation_id]
        if "requestBody" in operation and (body is not None or operation["requestBody"]["required"]):
            self.check(operation["requestBody"]["content"]["application/json"]["schema"], body)
        status, found = self._rig.ask(method, path.format(**names), body)
        described = operation["responses"][str(status)]
        if "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].rpartition("/")[2]]
        self.check(described["content"]["application/json"]["schema"], found)
        return found

    def check(self, schema: Mapping[str, Any], value: Any) -> None:
        """Raise ValueError for a value that a schema does not allow; TypeError for an unknown keyword."""
        if unknown := schema.keys() - _KEYWORDS:
            raise TypeError(f"unknown keywords: {unknown}")
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/components/schemas/")
            return self.check(self.document["components"]["schemas"][name], value)
        if "anyOf" in schema:
            return self._check_any(schema["anyOf"], value)
        if not isinstance(value, _TYPES[schema["type"]]) or (
            isinstance(value, bool) and schema["type"] != "boolean"
        ):
            raise ValueError(f"{value!r} is no {schema['type']}")
        if isinstance(value, int | float) and not (
            schema.get("minimum", value) <= value <= schema.get("maximum", value)
        ):
            raise ValueError(f"{value!r} is out of bounds")
        if isinstance(value, list):
            for each in value:
                self.check(schema["items"], each)
        if isinstance(value, dict):
            self._check_object(schema, value)
        return None

    def _check_any(self, schemas: Sequence[Mapping[str, Any]], value: Any) -> None:
        for schema in schemas:
            with contextlib.suppress(ValueError):
                return self.check(schema, value)
        raise ValueError(f"{value!r} fits none of {schemas}")

    def _check_object(self, schema: Mapping[str, Any], value: Mapping[str, Any]) -> None:
        if missing := set(schema.get("required", ())) - value.keys():
            raise ValueError(f"{missing} are missing")
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema["additionalProperties"])
            if inner is False:
                raise ValueError(f"{name!r} is not described")
            self.check(inner, each)


_KEYWORDS = {
    *("$ref", "anyOf", "type", "description", "properties", "required", "additionalProperties", "items"),
    *("minimum", "maximum", "maxLength", "maxItems", "minProperties", "maxProperties"),
}
_TYPES: dict[str, Any] = {
    **{"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)},
    **{"integer": int, "number": (int, float)},
}
