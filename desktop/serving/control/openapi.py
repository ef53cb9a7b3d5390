"""The OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop.base.version import version
from desktop.serving.control.bodies import is_needed, schema_of_members
from desktop.serving.control.documents import DOCUMENTS, Refusal, reference, schema_of
from desktop.serving.control.operations import OPERATIONS, Operation

_REFUSALS: Final[Mapping[str, str]] = {
    "400": "The request is malformed, or cannot be carried out now.",
    "401": "The token is missing or wrong.",
    "403": "The request comes from another page, or uses a foreign host name.",
    "404": "There is no such look, stage, parameter or address.",
    "405": "The address takes another method; Allow names those.",
    "413": "The body is too large.",
    "429": "Too many requests, or too many wrong tokens.",
    "500": "The program failed.",
    "503": "The program is closing.",
    "504": "The program did not respond in time.",
}
_EVENTS: Final = (
    "A WebSocket at /v1/events sends changes, at most ten a second: objects with 'state', 'parameters' or both, as "
    "the responses of /v1/state and /v1/parameters. Its first message is the client's: an object with 'token'. "
    "Nothing else is sent to it."
)


def openapi_document() -> dict[str, Any]:
    """Return the document, without servers: an address is relative to where it was read."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(f"/v1/{operation.path}", {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lightloom",
            "version": version(),
            "description": f"Remote control of the window. {_EVENTS}",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {kind.__name__: schema_of(kind) for kind in DOCUMENTS},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                f"Refused{status}": {"description": text, "content": _json(reference(Refusal))}
                for status, text in _REFUSALS.items()
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "responses": {
            "200": {"description": operation.summary, "content": _json(reference(operation.returns))},
            **{status: {"$ref": f"#/components/responses/Refused{status}"} for status in _REFUSALS},
        },
    }
    if operation.has_name:
        schema = {"type": "string", "minLength": 1, "maxLength": 200}
        described["parameters"] = [{"name": "name", "in": "path", "required": True, "schema": schema}]
    if operation.body:
        described["requestBody"] = {
            "required": is_needed(operation.body),
            "content": _json(schema_of_members(operation.body)),
        }
    return described


def _json(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
