"""The protocol over HTTP, on aiohttp's server without its router, with limits on time and size.

Not Starlette on uvicorn and h11, though smaller: uvicorn's timer for idle connections ends with a request's
first byte, so a head sent byte by byte holds a connection forever; aiohttp's runs until a head is complete.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import hdrs, web

from desktop.base.errors import ServingError
from desktop.serving import documents
from desktop.serving.access import Access, Certificate
from desktop.serving.access_log import AccessEntry
from desktop.serving.faults import fault_of
from desktop.serving.http_codec import HEAD_LENGTH, read_request, unpacked, write_response
from desktop.serving.http_connections import Connection, LimitedServer
from desktop.serving.http_responses import finish, json_response, refusal, wrong_method
from desktop.serving.json_objects import parsed_object
from desktop.serving.openapi import methods_of, openapi_document
from desktop.serving.served_model import ServedModel
from desktop.serving.service import Service
from desktop.serving.tensors import Arrays

log = logging.getLogger(__name__)

_LONG_PARSE: Final = 1 << 16
_DIGITS: Final = 10
_CHUNK: Final = 1 << 18
_LINGER_S: Final = 2.0
_POLL_S: Final = 0.02
_GONE: Final = 499  # nginx's, for a client that closed the connection before it was answered
_READING: Final = (hdrs.METH_GET, hdrs.METH_HEAD)
_ENDED: Final = ServingError("unavailable", "The server ended before this was done; ask again.")


class HttpServer:
    """Answers on one address until it is closed."""

    def __init__(self, service: Service, access: Access) -> None:
        self._service = service
        self._limits = service.limits
        self._access = access
        self._server: LimitedServer | None = None
        self._runner: web.ServerRunner | None = None
        # Connections whose requests are still accepted during shutdown, and the timeouts of active requests.
        self._expected: set[object] = set()
        self._under_way: set[asyncio.Timeout] = set()

    async def start(self, host: str, port: int, certificate: Certificate | None) -> int:
        """Listen; return the port (chosen for 0). Raises OSError if the address is in use or not local."""
        self._server = server = LimitedServer(
            self._handle,
            handler_cancellation=True,
            keepalive_timeout=self._limits.head_s,
            lingering_time=_LINGER_S,
            auto_decompress=False,
            access_log=None,
            logger=log,
        )
        server.most = self._limits.connections
        self._runner = runner = web.ServerRunner(server, shutdown_timeout=_LINGER_S)
        await runner.setup()
        context = None if certificate is None else certificate.context
        await web.TCPSite(runner, host, port, ssl_context=context).start()
        return int(runner.addresses[0][1])

    async def drain(self, seconds: float) -> bool:
        """See `FrontEnd`. Connections are still taken, and refused with a status (503)."""
        if self._server is None:
            return True
        expected = [
            each for each in self._server.connections if isinstance(each, Connection) and each.has_begun
        ]
        self._expected = set(expected)
        until = time.monotonic() + seconds
        while any(each.has_begun and each.is_open for each in expected):
            if time.monotonic() >= until:
                for limit in self._under_way:
                    limit.reschedule(0.0)
                return False
            await asyncio.sleep(_POLL_S)
        return True

    async def close(self) -> None:
        """End; answers that are being written are finished, if that is soon."""
        if self._runner is not None:
            await self._runner.cleanup()

    # -- a request -------------------------------------------------------------------------------------------

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        connection = request.protocol
        assert isinstance(connection, Connection)
        connection.begin_response(request)
        begun = time.monotonic()
        try:
            async with asyncio.timeout(None) as limit:
                self._under_way.add(limit)
                response = await self._respond(request)
        except Exception as error:
            # Another timeout (such as of a disk) does not end the server.
            is_over = isinstance(error, TimeoutError) and limit.expired()
            response = refusal(_ENDED if is_over else fault_of(error))
        except asyncio.CancelledError:
            self._log(request, _GONE, b"", time.monotonic() - begun)
            raise
        finally:
            self._under_way.discard(limit)
        if self._service.is_draining and not connection.has_another:
            response.force_close()
        try:
            # Within a time, or a client that does not read keeps its answer here for ever.
            await finish(request, response, self._limits.body_s)
        finally:
            connection.end_response()
            if not connection.has_begun:
                self._expected.discard(connection)
            body = response.body if isinstance(response.body, bytes) else b""
            self._log(request, response.status, body, time.monotonic() - begun)
        return response

    def _log(self, request: web.BaseRequest, status: int, body: bytes, seconds: float) -> None:
        if self._service.access_log is None:
            return
        version = request.version
        self._service.access_log.note(
            AccessEntry(
                client=request.remote or "",
                method=request.method,
                path=request.rel_url.raw_path,
                protocol=f"HTTP/{version.major}.{version.minor}",
                status=status,
                size=0 if request.method == hdrs.METH_HEAD else len(body),
                seconds=seconds,
                agent=request.headers.get(hdrs.USER_AGENT, ""),
                referer=request.headers.get(hdrs.REFERER, ""),
                at=time.time(),
            )
        )

    async def _respond(self, request: web.BaseRequest) -> web.Response:
        self._access.check_page(request.headers.get(hdrs.ORIGIN), request.headers.get(hdrs.HOST, ""))
        parts = [unquote(part) for part in request.rel_url.raw_path.strip("/").split("/")]
        if parts[:2] == [
            "v2",
            "health",
        ]:  # without a token, which supervisors of servers do not have
            return self._health(request.method, parts[2:])
        if request.method in _READING and parts == ["openapi.json"]:
            return json_response(openapi_document())
        self._access.check(request.headers.get(hdrs.AUTHORIZATION, ""))
        methods = methods_of(parts)
        if methods and request.method not in methods:
            return wrong_method(methods)
        if request.method in _READING:
            return json_response(self._resource(parts))
        if request.method == hdrs.METH_POST:
            return await self._done(request, parts)
        raise ServingError("missing", "There is nothing at this address.")

    def _health(self, method: str, parts: list[str]) -> web.Response:
        if parts not in (["live"], ["ready"]):
            raise ServingError("missing", "There is nothing at this address.")
        if method not in _READING:
            return wrong_method(_READING)
        return web.Response(status=200 if parts == ["live"] or self._service.is_ready else 400)

    def _resource(self, parts: list[str]) -> Any:
        """Return the response to a GET."""
        models = self._service.models
        match parts:
            case ["v2"]:
                return documents.of_server(self._service.extensions)
            case ["v2", "models", "stats"]:
                return documents.statistics(models.all)
            case ["v2", "models", name, "stats"]:
                return documents.statistics(models.select(name))
            case ["v2", "models", name, "versions", version, "stats"]:
                return documents.statistics(models.select(name, version))
            case ["v2", "models", name, "versions", version, *rest]:
                return self._model_document(models.find(name, version), rest)
            case ["v2", "models", name, *rest]:
                return self._model_document(models.find(name), rest)
            case ["v2", "systemsharedmemory", "status"]:
                return [each.document() for each in self._service.regions.status()]
            case ["v2", "systemsharedmemory", "region", name, "status"]:
                return [each.document() for each in self._service.regions.status(name)]
        raise ServingError("missing", "There is nothing at this address.")

    def _model_document(self, model: ServedModel, rest: list[str]) -> Any:
        match rest:
            case []:
                versions = self._service.models.versions(model.name)
                return documents.of_model(model, versions) | {"parameters": documents.parameters(model)}
            case ["config"]:
                return documents.configuration(model)
            case ["ready"]:
                if self._service.is_model_ready(model):
                    return None
                raise ServingError("invalid", f"The model '{model.name}' is not ready.")
        raise ServingError("missing", "There is nothing at this address.")

    async def _done(self, request: web.BaseRequest, parts: list[str]) -> web.Response:
        """Execute a POST."""
        if self._service.is_draining and request.protocol not in self._expected:
            raise ServingError("unavailable", "The server is ending and takes no more requests.")
        models = self._service.models
        match parts:
            case ["v2", "models", name, "infer"]:
                with models.using(name) as model:
                    return await self._infer(request, model)
            case ["v2", "models", name, "versions", version, "infer"]:
                with models.using(name, version) as model:
                    return await self._infer(request, model)
            case ["v2", "repository", "index"]:
                document = await self._document(request)
                return json_response(documents.index(models, ready_only=document.get("ready") is True))
            case ["v2", "repository", "models", name, "load" | "unload" as verb]:
                document = await self._document(request)
                if verb == "load" and document.get("parameters"):
                    raise ServingError(
                        "invalid", "A model is loaded as the server was started with it; send no parameters."
                    )
                await asyncio.to_thread(self._service.load if verb == "load" else self._service.unload, name)
                return json_response(None)
            case ["v2", "systemsharedmemory", *rest]:
                return await self._shared(request, rest)
        raise ServingError("missing", "There is nothing at this address.")

    async def _shared(self, request: web.BaseRequest, rest: list[str]) -> web.Response:
        """Register or unregister shared memory."""
        regions = self._service.regions
        document = await self._document(request)
        match rest:
            case ["region", name, "register"]:
                values = document.get("key"), document.get("offset", 0), document.get("byte_size")
                regions.register(name, *values)
            case ["region", name, "unregister"] if name:
                regions.unregister(name)
            case ["unregister"]:
                regions.unregister()
            case _:
                raise ServingError("missing", "There is nothing at this address.")
        return json_response(None)

    # -- bodies ----------------------------------------------------------------------------------------------

    async def _infer(self, request: web.BaseRequest, model: ServedModel) -> web.Response:
        async with self._body(request) as body:
            head_length = request.headers.get(HEAD_LENGTH)
            # Parsing numbers in JSON takes long; the event loop must serve other clients meanwhile.
            json_bytes = (
                len(body) if head_length is None or not head_length.isdecimal() else int(head_length[:12])
            )
            read = (model, body, head_length, self._limits)
            is_long = json_bytes > _LONG_PARSE
            infer_request = await asyncio.to_thread(read_request, *read) if is_long else read_request(*read)
            outputs = await self._service.infer(model, infer_request.infer_request)
            written = (model, infer_request, outputs)
            is_long = _json_elements(infer_request.binary, outputs) * _DIGITS > _LONG_PARSE
            answer, end = (
                await asyncio.to_thread(write_response, *written) if is_long else write_response(*written)
            )
        if end is None:
            return web.Response(body=answer, content_type="application/json")
        headers = {HEAD_LENGTH: str(end)}
        return web.Response(body=answer, content_type="application/octet-stream", headers=headers)

    async def _document(self, request: web.BaseRequest) -> dict[str, Any]:
        """Return the JSON object of a small request; {} without a body."""
        async with self._body(request) as body:
            if len(body) > _LONG_PARSE:
                raise ServingError("large", f"The request is larger than {_LONG_PARSE} bytes.")
            return parsed_object(body) if body else {}

    @asynccontextmanager
    async def _body(self, request: web.BaseRequest) -> AsyncIterator[bytes | bytearray]:
        """Read a body; its bytes count as held until the request is answered."""
        encoding = request.headers.get(hdrs.CONTENT_ENCODING, "").lower()
        with ExitStack() as held:
            # Its unpacked size is not known in advance.
            length = self._most if encoding not in ("", "identity") else request.content_length
            if (length or 0) > self._most or (request.content_length or 0) > self._most:
                raise self._too_large()
            held.enter_context(self._service.holding(length or 0))
            if request.headers.get(hdrs.EXPECT, "").lower() == "100-continue":
                await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                request.writer.output_size = 0
            try:
                async with asyncio.timeout(self._limits.body_s):
                    body = await self._read(request, held, length or 0)
            except TimeoutError:
                raise ServingError(
                    "late",
                    f"The request's body was not here within {self._limits.body_s:g} seconds; send it "
                    "faster.",
                ) from None
            yield unpacked(body, encoding, self._most)

    async def _read(self, request: web.BaseRequest, held: ExitStack, expected: int) -> bytearray:
        body = bytearray()
        while chunk := await request.content.readany():
            body += chunk
            if len(body) > self._most:
                raise self._too_large()
            if len(body) > expected:  # chunks, whose sum is not stated
                held.enter_context(self._service.holding(_CHUNK))
                expected += _CHUNK
        return body

    @property
    def _most(self) -> int:
        return self._limits.request_bytes + self._limits.json_bytes

    def _too_large(self) -> ServingError:
        return ServingError("large", f"The request is larger than the {self._most} bytes that one may have.")


def _json_elements(binary: frozenset[str], outputs: Arrays) -> int:
    return sum(array.size for name, array in outputs.items() if name not in binary)
