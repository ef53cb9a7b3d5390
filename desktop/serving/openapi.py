"""The OpenAPI 3.1 document of the HTTP server (https://spec.openapis.org/oas/v3.1.1), and the methods of its
addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from desktop.base.version import version
from desktop.net.inference.wire import BYTES, DTYPES

Schema = dict[str, Any]

_REFUSALS: Final[Mapping[str, str]] = {
    "400": "The request is malformed, or does not fit the model; or the model's file or settings cannot be used.",
    "401": "The token is missing or wrong.",
    "403": "The request comes from a web page, uses a foreign host name, or asks for what is switched off.",
    "404": "There is no such model, version or address.",
    "405": "The address takes another method, which the header Allow names.",
    "409": "The model's file was changed since it was loaded.",
    "413": "The request is too large.",
    "429": "Too many requests are under way.",
    "431": "The request's head is too long.",
    "500": "The network failed.",
    "503": "The model is not loaded, there is no memory or device for it, or the server is ending.",
    "504": "The request took too long.",
}
_INTRODUCTION: Final = (
    "The Open Inference Protocol, version 2, with Triton's extensions for binary tensors, configuration, "
    "repositories and statistics."
)


def openapi_document() -> Schema:
    """Return the document, without servers: an address is relative to where it was read."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lightloom inference server",
            "version": version(),
            "description": _INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {}],
        "paths": _paths(),
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                f"Refused{status}": {"description": text, "content": _json(_reference("Refusal"))}
                for status, text in _REFUSALS.items()
            },
        },
    }


def methods_of(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the methods of an address, given as the parts of its path; none where there is nothing."""
    return next((methods for path, methods in _methods() if _fits(path, parts)), ())


@cache
def _methods() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The parts of each path, and its methods."""
    return tuple(
        (
            tuple(path.strip("/").split("/")),
            tuple(method.upper() for method in item if method != "parameters"),
        )
        for path, item in _paths().items()
    )


def _fits(path: Sequence[str], parts: Sequence[str]) -> bool:
    return len(path) == len(parts) and all(
        bool(part) if pattern.startswith("{") else part == pattern
        for pattern, part in zip(path, parts, strict=True)
    )


# -- operations ----------------------------------------------------------------------------------------------


def _paths() -> dict[str, Schema]:
    paths: dict[str, Schema] = {
        "/v2": _reading("serverMetadata", "Name, version and extensions of the server", "ServerMetadata"),
        "/v2/health/live": _health("serverLive", "Whether the server runs"),
        "/v2/health/ready": _health("serverReady", "Whether the server takes requests"),
        "/v2/models/stats": _reading("statistics", "Statistics of all models", "Statistics"),
        "/v2/repository/index": _asking(
            "repositoryIndex", "All versions, and whether they are loaded", "IndexRequest", "Index"
        ),
        "/openapi.json": _reading("openapi", "This document", None, is_open=True),
    }
    models: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("/v2/models/{model}", "", ("model",)),
        ("/v2/models/{model}/versions/{version}", "OfVersion", ("model", "version")),
    )
    for place, suffix, names in models:
        for path, operation, summary, result in (
            ("", "modelMetadata", "Inputs and outputs of a model", "ModelMetadata"),
            ("/config", "modelConfig", "Batching configuration of a model", "ModelConfig"),
            ("/stats", "modelStatistics", "Statistics of a model", "Statistics"),
        ):
            paths[place + path] = _reading(operation + suffix, summary, result, names)
        ready = _reading(f"modelReady{suffix}", "Whether a model takes requests", None, names)
        paths[f"{place}/ready"] = ready
        paths[f"{place}/infer"] = _inference(f"infer{suffix}", names)
    for verb in ("load", "unload"):
        paths[f"/v2/repository/models/{{model}}/{verb}"] = _asking(
            f"{verb}Model",
            f"{verb.capitalize()} a model, with --model-control",
            "Parameters",
            None,
            ("model",),
        )
    shared = "/v2/systemsharedmemory"
    regions: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        (shared, "All", ()),
        (f"{shared}/region/{{region}}", "", ("region",)),
    )
    for place, suffix, names in regions:
        paths[f"{place}/status"] = _reading(
            f"sharedMemoryStatus{suffix}", "Registered shared memory", "Regions", names
        )
        paths[f"{place}/unregister"] = _asking(
            f"unregisterSharedMemory{suffix}", "Unregister shared memory", "Parameters", None, names
        )
    paths[f"{shared}/region/{{region}}/register"] = _asking(
        "registerSharedMemory",
        "Register shared memory, with --shared-memory",
        "RegionPlace",
        None,
        ("region",),
    )
    return paths


def _reading(
    operation: str, summary: str, result: str | None, names: Sequence[str] = (), *, is_open: bool = False
) -> Schema:
    """Describe a GET and a HEAD."""
    described: Schema = {"operationId": operation, "summary": summary, "responses": _responses(result)}
    if result is None and is_open:
        described["responses"]["200"]["content"] = _json({"type": "object"})
    if is_open:
        described["security"] = [{}]
    head = {
        **described,
        "operationId": f"{operation}Head",
        "responses": {"200": {"description": "As for GET, without a body"}, **_refused()},
    }
    return {**_names(names), "get": described, "head": head}


def _health(operation: str, summary: str) -> Schema:
    responses = {"200": {"description": "It does."}, "400": {"description": "It does not."}}
    described = {"summary": summary, "security": [{}], "responses": responses}
    return {
        "get": {"operationId": operation, **described},
        "head": {"operationId": f"{operation}Head", **described},
    }


def _asking(operation: str, summary: str, body: str, result: str | None, names: Sequence[str] = ()) -> Schema:
    return {
        **_names(names),
        "post": {
            "operationId": operation,
            "summary": summary,
            "requestBody": {"required": False, "content": _json(_reference(body))},
            "responses": _responses(result),
        },
    }


def _inference(operation: str, names: Sequence[str]) -> Schema:
    binary = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    length = {"type": "integer", "minimum": 1}
    responses = _responses("InferenceResponse")
    responses["200"]["content"] |= binary
    responses["200"]["headers"] = {
        "Inference-Header-Content-Length": {
            "description": "Bytes of JSON before binary tensors",
            "schema": length,
        }
    }
    header = {
        "name": "Inference-Header-Content-Length",
        "in": "header",
        "description": "Bytes of JSON before binary tensors; without it all is JSON.",
        "schema": length,
    }
    return {
        **_names(names),
        "post": {
            "operationId": operation,
            "summary": "Compute a model's outputs",
            "parameters": [header],
            "requestBody": {"required": True, "content": _json(_reference("InferenceRequest")) | binary},
            "responses": responses,
        },
    }


def _names(names: Sequence[str]) -> Schema:
    schema = {"type": "string", "minLength": 1, "maxLength": 128}
    found = [{"name": name, "in": "path", "required": True, "schema": schema} for name in names]
    return {"parameters": found} if found else {}


def _responses(result: str | None) -> Schema:
    done: Schema = {"description": "Done"}
    if result is not None:
        done["content"] = _json(_reference(result))
    return {"200": done, **_refused()}


def _refused() -> Schema:
    return {status: {"$ref": f"#/components/responses/Refused{status}"} for status in _REFUSALS}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


# -- schemas -------------------------------------------------------------------------------------------------

_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_SIZES: Final[Schema] = {"type": "array", "items": {"type": "integer", "minimum": -1}}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    found: Schema = {"type": "object", "properties": {**required, **(optional or {})}}
    return {**found, "required": list(required)} if required else found


def _schemas() -> dict[str, Schema]:
    datatype: Schema = {"type": "string", "enum": [*DTYPES, BYTES]}
    tensor = {"name": _TEXT, "datatype": datatype, "shape": _SIZES}
    data: Schema = {
        "description": "Numbers, flat or nested as the shape is; for BYTES texts.",
        "type": "array",
        "items": {},
    }
    configured = _object({"name": _TEXT, "data_type": _TEXT, "dims": _SIZES})
    compute = {f"compute_{part}": _reference("Duration") for part in ("input", "infer", "output")}
    parameters = {"parameters": _reference("Parameters")}
    return {
        "Refusal": _object({"error": _TEXT}),
        "Parameters": {"type": "object", "additionalProperties": True},
        "ServerMetadata": _object({"name": _TEXT, "version": _TEXT, "extensions": _list(_TEXT)}),
        "Tensor": _object(tensor),
        "ModelMetadata": _object(
            {
                "name": _TEXT,
                "versions": _list(_TEXT),
                "platform": _TEXT,
                "inputs": _list(_reference("Tensor")),
                "outputs": _list(_reference("Tensor")),
            },
            parameters,
        ),
        "ModelConfig": _object(
            {
                "name": _TEXT,
                "platform": _TEXT,
                "backend": _TEXT,
                "max_batch_size": _COUNT,
                "input": _list(configured),
                "output": _list(configured),
            },
            {"dynamic_batching": _object({"max_queue_delay_microseconds": _COUNT})},
        ),
        "Duration": _object({"count": _COUNT, "ns": _COUNT}),
        "Statistics": _object({"model_stats": _list(_reference("ModelStatistics"))}),
        "ModelStatistics": _object(
            {
                "name": _TEXT,
                "version": _TEXT,
                "last_inference": _COUNT,
                "inference_count": _COUNT,
                "execution_count": _COUNT,
                "inference_stats": _object(
                    {**{part: _reference("Duration") for part in ("success", "fail", "queue")}, **compute}
                ),
                "batch_stats": _list(_object({"batch_size": _COUNT, **compute})),
            }
        ),
        "IndexRequest": _object({}, {"ready": {"type": "boolean"}}),
        "Index": _list(
            _object(
                {
                    "name": _TEXT,
                    "version": _TEXT,
                    "state": {"type": "string", "enum": ["READY", "UNAVAILABLE"]},
                    "reason": _TEXT,
                }
            )
        ),
        "RegionPlace": _object({"key": _TEXT, "byte_size": _COUNT}, {"offset": _COUNT}),
        "Regions": _list(_object({"name": _TEXT, "key": _TEXT, "offset": _COUNT, "byte_size": _COUNT})),
        "InferenceRequest": _object(
            {"inputs": _list(_object(tensor, {"data": data, **parameters}))},
            {"id": _TEXT, "outputs": _list(_object({"name": _TEXT}, parameters)), **parameters},
        ),
        "InferenceResponse": _object(
            {
                "model_name": _TEXT,
                "model_version": _TEXT,
                "outputs": _list(_object(tensor, {"data": data, **parameters})),
            },
            {"id": _TEXT},
        ),
    }
