"""Connections of aiohttp's server without its router: limited in number, and each watched for requests."""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from desktop.serving.http_responses import refused

_TOO_MANY_LINES: Final = "Too many headers received"
"""aiohttp's message, of an exception that it has for other faults too."""


class Connection(web.RequestHandler):
    """Tracks whether a request has begun: from the first byte of its head until it is answered.

    A pipelined head that begins in the previous request's last chunk is only detected with more of it.
    """

    has_begun = False
    has_been_answered = False
    silent_since = 0.0
    _request: web.BaseRequest | None = None
    _is_followed = False
    # aiohttp takes a head from `_messages` some turns of the loop before the handler starts (until Python 3.12).
    _has_head = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.silent_since = time.monotonic()

    def data_received(self, data: bytes) -> None:
        # A line break behind a body, as some clients send it, begins no request.
        begins = bool(data.strip(b"\r\n"))
        self.has_begun = self.has_begun or begins
        if self._request is not None and self._request.content.is_eof():
            self._is_followed = self._is_followed or begins
        super().data_received(data)
        self._has_head = self._has_head or bool(self._messages)

    def begin_response(self, request: web.BaseRequest) -> None:
        """A request is being answered from now on."""
        self._request, self._is_followed, self._has_head = request, False, False

    def end_response(self) -> None:
        """It is answered."""
        self.has_begun, self._request = self.has_another, None
        self._has_head = bool(self._messages)
        self.has_been_answered, self.silent_since = True, time.monotonic()

    @property
    def is_silent(self) -> bool:
        """True while no request with a complete head is being read or answered."""
        return self._request is None and not self._has_head

    @property
    def has_another(self) -> bool:
        """True if another request has begun behind the one being answered."""
        return self._is_followed or bool(self._messages)

    @property
    def is_open(self) -> bool:
        """True while the client is connected."""
        return self.transport is not None

    @property
    def is_closing(self) -> bool:
        """True once it ends."""
        return self.transport is None or self.transport.is_closing()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the response to a request whose head cannot be read, in JSON as all others."""
        super().handle_error(request, status, exc, message)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            text = "The server failed before it read the request; its log has more."
        elif isinstance(exc, LineTooLong) or message == _TOO_MANY_LINES:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            text = "The request's head is too long: at most 128 lines of 8 KiB; shorten it."
        else:
            text = "The request's head is no valid HTTP/1.1; correct it."
        response = refused(status, text)
        response.force_close()
        return response


class LimitedServer(web.Server):
    """Closes a connection for each one above the limit: the oldest without a request, best one that was never
    answered, so that clients which only connect keep no others out; the new one if all have requests.
    """

    most = 0

    def __call__(self) -> Connection:
        return Connection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if len(self.connections) <= self.most:
            return
        # Those that were closed just now are still in the list.
        left = [each for each in self.connections if isinstance(each, Connection) and not each.is_closing]
        if len(left) <= self.most:
            return
        silent = [each for each in left if each is not handler and each.is_silent]
        silent.sort(key=lambda each: (each.has_been_answered, each.silent_since))
        closed = silent[0].transport if silent else transport
        if closed is not None:
            closed.abort()
