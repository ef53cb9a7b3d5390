"""The HTTP server of remote control, on a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import unquote

from aiohttp import WSMsgType, hdrs, web

from desktop.base.errors import ControlError, ServingError
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.serving.access import Access
from desktop.serving.control.access import Peers, check_origin
from desktop.serving.control.bodies import is_needed, read_members
from desktop.serving.control.call_queue import CallQueue
from desktop.serving.control.changes import Changes, Follower
from desktop.serving.control.documents import Parameters, State, json_of
from desktop.serving.control.openapi import openapi_document
from desktop.serving.control.operations import Call, Operation, find_operation, methods_of
from desktop.serving.control.page import Page
from desktop.serving.control.program import Program
from desktop.serving.faults import fault_of, log_client_fault
from desktop.serving.http_connections import Connection, LimitedServer
from desktop.serving.http_responses import finish, json_response, refusal, wrong_method
from desktop.serving.json_objects import parsed_object
from desktop.serving.limits import Limits

MOST_BODY: Final = 1 << 14
MOST_CONNECTIONS: Final = 32
_MOST_MESSAGE: Final = 1024
_LONGEST_NAME: Final = 200
_TIMES: Final = Limits(connections=MOST_CONNECTIONS, head_s=10.0, body_s=10.0)
_TOKEN_S: Final = 10.0
_WRONG_S: Final = 0.5
_BETWEEN_S: Final = 0.1
_PING_S: Final = 20.0
_END_S: Final = 2.0
# Codes of RFC 6455 and its registry by which WebSockets are closed.
_REFUSED: Final = 1008
_TRY_LATER: Final = 1013
_EVENTS: Final = ["v1", "events"]
# aiohttp logs each malformed request with a traceback, by which any client could displace the rest of the log.
_SILENT: Final = logging.Logger("remote control", logging.CRITICAL)


class ControlServer:
    """Serves from `start` until `close`; `port` is the actual one."""

    def __init__(
        self,
        program: Program,
        token: str,
        page: Page,
        wake: Callable[[], None],
        *,
        local: bool = True,
        peers: Peers | None = None,
    ) -> None:
        """Set whom to ask and who may ask.

        Args:
            program: called on the thread that calls `run_due`.
            token: what each client must present.
            wake: has the program's thread call `run_due`; called on the server's.
            local: serve this machine only.
            peers: limits of each client; by default those of `Peers`.
        """
        self._program, self._page, self._local = program, page, local
        self._access = Access(token, local)
        self._calls = CallQueue(wake)
        self._peers, self._changes = peers or Peers(), Changes()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop = asyncio.Event()
        self.port = 0

    # -- on the program's side -------------------------------------------------------------------------------

    def start(self, port: int) -> None:
        """Listen on a port, 0 for a free one. Raises ControlError if that is not possible."""
        started = threading.Event()
        faults: list[Exception] = []
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(port, started, faults)), name="remote control", daemon=True
        )
        self._thread.start()
        started.wait()
        if faults:
            self._thread.join()
            if not isinstance(faults[0], OSError):
                raise faults[0]
            raise ControlError(
                sentence(
                    "Remote control cannot use port {port}: {reason}; choose another one.",
                    port=port,
                    reason=reason(faults[0]),
                )
            ) from faults[0]

    def run_due(self) -> None:
        """Carry out requests that wait; for the program's thread."""
        self._calls.run_due()

    @property
    def followers(self) -> int:
        """Number of clients that follow the changes."""
        return self._changes.followers

    def publish(self, state: State, parameters: Parameters) -> None:
        """Send what has changed to the clients that follow; from any thread."""
        self._on_loop(lambda: self._changes.publish(state, parameters))

    def close(self) -> None:
        """Stop; requests that wait are refused. Not for the server's thread."""
        self._calls.close()
        self._on_loop(self._stop.set)
        if self._thread is not None:
            self._thread.join()

    def _on_loop(self, act: Callable[[], None]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(act)

    # -- on the server's thread ------------------------------------------------------------------------------

    async def _run(self, port: int, started: threading.Event, faults: list[Exception]) -> None:
        try:
            runner = await self._listen(port)
        except Exception as error:
            # `start` raises it; without this it would wait for ever.
            faults.append(error)
            return
        finally:
            self._loop = asyncio.get_running_loop()
            started.set()
        await self._stop.wait()
        self._changes.end()
        await runner.cleanup()

    async def _listen(self, port: int) -> web.ServerRunner:
        asyncio.get_running_loop().set_exception_handler(log_client_fault)
        server = LimitedServer(
            self._handle,
            handler_cancellation=True,
            keepalive_timeout=_TIMES.head_s,
            lingering_time=_END_S,
            auto_decompress=False,
            access_log=None,
            logger=_SILENT,
        )
        server.most = _TIMES.connections
        runner = web.ServerRunner(server, shutdown_timeout=_END_S)
        try:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1" if self._local else "0.0.0.0", port).start()
        except BaseException:
            await runner.cleanup()
            raise
        self.port = int(runner.addresses[0][1])
        return runner

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        connection = request.protocol
        assert isinstance(connection, Connection)
        connection.begin_response(request)
        try:
            try:
                response = await self._respond(request)
            except Exception as error:
                # A bug in one request ends neither the server nor the program.
                response = refusal(fault_of(error))
            await finish(request, response, _TIMES.body_s)
        finally:
            connection.end_response()
        return response

    async def _respond(self, request: web.BaseRequest) -> web.StreamResponse:
        host, peer = request.headers.get(hdrs.HOST, ""), request.remote or ""
        check_origin(request.headers.get(hdrs.ORIGIN), host, local=self._local)
        authorization = request.headers.get(hdrs.AUTHORIZATION, "")
        # Counted apart: pages and programs without the token may not use up the requests of those with it.
        self._peers.admit(f"{peer} with the token" if self._is_right(authorization) else peer)
        if request.rel_url.raw_query_string:
            raise ServingError("invalid", "Addresses have no query here; send values in the body.")
        parts = [unquote(part) for part in request.rel_url.raw_path.strip("/").split("/")]
        if request.method == hdrs.METH_GET and parts == [""]:
            headers = self._page.headers(host)
            return web.Response(text=self._page.text, content_type="text/html", headers=headers)
        if request.method == hdrs.METH_GET and parts == ["openapi.json"]:
            return json_response(openapi_document())
        if request.method == hdrs.METH_GET and parts == _EVENTS:
            return await self._follow(request, peer)
        await self._check_token(authorization, peer)
        known = parts[1:] if parts[0] == "v1" else []
        found = find_operation(request.method, known)
        if found is None and (methods := methods_of(known)):
            return wrong_method(methods)
        operation, name = _checked(found)
        body = await self._read(request, operation)
        call = Call(name, read_members(operation.body, body))
        document = await self._calls.call(lambda: operation.run(self._program, call))
        return json_response(json_of(document))

    def _is_right(self, authorization: str) -> bool:
        try:
            self._access.check(authorization)
        except ServingError:
            return False
        return True

    async def _check_token(self, authorization: str, peer: str) -> None:
        self._peers.check_failures(peer)
        try:
            self._access.check(authorization)
        except ServingError:
            if authorization:
                self._peers.count_failure(peer)
                await asyncio.sleep(_WRONG_S)
            raise

    @staticmethod
    async def _read(request: web.BaseRequest, operation: Operation) -> dict[str, Any]:
        """Return the JSON object of a request; {} for an operation without a body."""
        if request.headers.get(hdrs.CONTENT_ENCODING, "identity").lower() != "identity":
            raise ServingError("invalid", "The body is compressed; send it as it is.")
        data = bytearray()
        try:
            async with asyncio.timeout(_TIMES.body_s):
                while chunk := await request.content.readany():
                    data += chunk
                    if len(data) > MOST_BODY:
                        raise ServingError("large", f"The body is larger than {MOST_BODY} bytes; send less.")
        except TimeoutError:
            raise ServingError("late", "The body was not here in time; send it faster.") from None
        if not data and not is_needed(operation.body):
            return {}
        if request.content_type != "application/json":
            raise ServingError("invalid", "The body is not of the type application/json; send that.")
        return parsed_object(data)

    # -- changes ---------------------------------------------------------------------------------------------

    async def _follow(self, request: web.BaseRequest, peer: str) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=_PING_S, timeout=_END_S, max_msg_size=_MOST_MESSAGE)
        if not socket.can_prepare(request):
            raise ServingError("invalid", "This address is for WebSockets only.")
        await socket.prepare(request)
        follower: Follower | None = None
        try:
            await self._check_token(await self._first_token(socket), peer)
            follower = self._changes.follow()
            await self._send_all(socket, follower)
        except ServingError as error:
            with suppress(ConnectionError):  # it has left without waiting for an answer
                await socket.send_str(json.dumps({"error": str(error)}))
            # By the code a client knows whether its token was refused, or may be used again later.
            await socket.close(code=_TRY_LATER if error.kind in ("full", "unavailable") else _REFUSED)
        except (TimeoutError, ConnectionError):
            await socket.close(code=_REFUSED)
        finally:
            if follower is not None:
                self._changes.leave(follower)
        return socket

    @staticmethod
    async def _first_token(socket: web.WebSocketResponse) -> str:
        async with asyncio.timeout(_TOKEN_S):
            message = await socket.receive()
        if message.type is not WSMsgType.TEXT:
            raise ServingError("invalid", "The first message is not an object with 'token'; send that.")
        token = parsed_object(message.data.encode()).get("token")
        return f"Bearer {token}" if isinstance(token, str) else ""

    async def _send_all(self, socket: web.WebSocketResponse, follower: Follower) -> None:
        """Send changes until the client leaves, sends something, or the server ends."""
        leaving = asyncio.ensure_future(socket.receive())
        try:
            while not leaving.done():
                following = asyncio.ensure_future(follower.next(self._changes))
                await asyncio.wait({leaving, following}, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    following.cancel()
                    break
                if not (message := following.result()):
                    break
                async with asyncio.timeout(_TIMES.body_s):
                    await socket.send_str(json.dumps(message))
                await asyncio.sleep(_BETWEEN_S)
        finally:
            leaving.cancel()
        if not socket.closed:
            await socket.close(code=1001)


def _checked(found: tuple[Operation, str] | None) -> tuple[Operation, str]:
    """Return an operation and the name in its address. Raises ServingError for none, and for other names."""
    if found is None:
        raise ServingError("missing", "There is nothing at this address; /openapi.json has the list.")
    if len(found[1]) > _LONGEST_NAME or not found[1].isprintable():
        raise ServingError("invalid", "The name in the address is too long or not printable.")
    return found
