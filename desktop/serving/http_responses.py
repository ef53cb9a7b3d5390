"""Responses in JSON, also those of refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from aiohttp import hdrs, web

from desktop.base.errors import ServingError
from desktop.serving.faults import HTTP_STATUS


def json_response(document: Any) -> web.Response:
    """An answer in JSON; an empty one for None."""
    if document is None:
        return web.Response()
    return web.Response(body=json.dumps(document).encode(), content_type="application/json")


def refusal(error: ServingError) -> web.Response:
    """A response that says why a request was refused."""
    headers: dict[str, str] = (
        {hdrs.RETRY_AFTER: str(error.retry_s)} if error.kind in ("full", "unavailable") else {}
    )
    if error.kind == "denied":
        headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
    return refused(HTTP_STATUS[error.kind], str(error), headers)


def wrong_method(methods: Sequence[str]) -> web.Response:
    """A response for an address that takes other methods than that of a request."""
    text = f"This address takes {' and '.join(methods)} only."
    return refused(HTTPStatus.METHOD_NOT_ALLOWED, text, {hdrs.ALLOW: ", ".join(methods)})


def refused(status: int, text: str, headers: Mapping[str, str] | None = None) -> web.Response:
    """A response of any status that says why a request was refused."""
    body = json.dumps({"error": text}).encode()
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


async def finish(request: web.BaseRequest, response: web.StreamResponse, seconds: float) -> None:
    """Send a response; end the connection of a client that does not read it within a time."""
    try:
        async with asyncio.timeout(seconds):
            await response.prepare(request)
            await response.write_eof()
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
