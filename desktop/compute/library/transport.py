"""HTTP requests as downloads need them: over https, bounded, through the environment's proxies, and ended at once when asked to.

On the standard library's urllib: its redirects and proxies are what is needed, and it is in every bundle. Its connections are made
here, so that another thread can shut their sockets; closing a response does not wake a thread that waits for one.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
import weakref
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import IO, Any, Final
from urllib.parse import urlsplit

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOST_REDIRECTS: Final = 8


class Failed(Exception):
    """This address cannot give the file; `advice` is what to do about it."""

    def __init__(self, what: str, advice: str = "try again later") -> None:
        self.advice = advice
        super().__init__(what)


class Interrupted(Exception):
    """Something passing: a dropped or slow connection, a busy server. `wait_s` is what the server asked for, 0 for nothing."""

    def __init__(self, what: str, wait_s: float = 0.0) -> None:
        self.wait_s = wait_s
        super().__init__(what)


class RangeGone(Exception):
    """The range that was asked for is not there any more (416): the file is another one now."""


class Transport:
    """Makes requests for one download. `get` may be called on several threads, `abort` on any."""

    def __init__(self, stall_s: float, schemes: tuple[str, ...]) -> None:
        self._stall_s = stall_s
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._aborted = False
        self._opener = urllib.request.OpenerDirector()
        # Added one by one: `build_opener` would also open files and FTP, where a redirect could lead.
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            _Redirects(schemes),
            _Handler(self),
        ):
            self._opener.add_handler(handler)

    def get(self, address: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        """Request a file and return the open response, whose status is 2xx.

        Raises:
            Failed: this address will not give it.
            Interrupted: it may, later.
            RangeGone: the answer was 416.
        """
        host = urlsplit(address).hostname or address
        request = urllib.request.Request(
            address, headers={"User-Agent": "Lightloom", "Accept-Encoding": "identity", **headers}
        )
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._stall_s)
            return response
        except urllib.error.HTTPError as error:
            error.close()
            raise _of_status(error, host) from error
        except (http.client.InvalidURL, ValueError) as error:
            raise Failed(
                f"{host} sent the request on to something that is no address", "use a mirror"
            ) from error
        except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
            raise _of_connection(error, host) from error

    def abort(self) -> None:
        """End all connections, those that wait too; later requests fail."""
        with self._lock:
            self._aborted = True
            sockets = list(self._sockets)
        for sock in sockets:
            with contextlib.suppress(OSError):
                # Not SSLSocket.shutdown: it takes the encryption away under a thread that reads.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def watch(self, sock: socket.socket) -> None:
        """Take note of a connection."""
        with self._lock:
            self._sockets.add(sock)
            if self._aborted:
                raise ConnectionAbortedError("stopped")


class _Connection(http.client.HTTPConnection):
    def __init__(self, transport: Transport, host: str, **options: Any) -> None:
        self._transport = transport
        super().__init__(host, **options)

    def connect(self) -> None:
        super().connect()
        self._transport.watch(self.sock)


class _SecureConnection(http.client.HTTPSConnection):
    def __init__(self, transport: Transport, host: str, **options: Any) -> None:
        self._transport = transport
        super().__init__(host, **options)

    def connect(self) -> None:
        super().connect()
        self._transport.watch(self.sock)


class _Handler(urllib.request.AbstractHTTPHandler):
    def __init__(self, transport: Transport) -> None:
        super().__init__()
        self._transport = transport
        self._context: ssl.SSLContext | None = None

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(partial(_Connection, self._transport), request)

    def https_open(self, request: urllib.request.Request) -> Any:
        if self._context is None:
            self._context = ssl.create_default_context()
        make = partial(_SecureConnection, self._transport)
        return self.do_open(make, request, context=self._context)

    http_request = urllib.request.AbstractHTTPHandler.do_request_
    https_request = urllib.request.AbstractHTTPHandler.do_request_


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = _MOST_REDIRECTS
    max_repeats = 2

    def __init__(self, schemes: tuple[str, ...]) -> None:
        self._schemes = schemes

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        fp.close()  # the caller would read the whole of its body, however long
        if urlsplit(newurl).scheme not in self._schemes:
            raise _not_https(urlsplit(req.full_url).hostname or "")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _not_https(host: str) -> Failed:
    return Failed(f"{host} sent the request on to an address that is not https", "use a mirror")


def _of_status(error: urllib.error.HTTPError, host: str) -> Exception:
    reason = http.client.responses.get(error.code, "unknown")
    if error.code == 416:
        return RangeGone()
    if 300 <= error.code < 400:
        # urllib itself refuses what is neither http nor https, with the same error as a loop.
        scheme = error.headers.get("Location", "").partition(":")[0].lower()
        if "/" in scheme or scheme in ("", "http", "https"):
            return Failed(f"{host} sends the request round and round", "use a mirror")
        return _not_https(host)
    if error.code in _AGAIN:
        return Interrupted(
            f"{host} answered {error.code} ({reason})", _seconds(error.headers.get("Retry-After", ""))
        )
    return Failed(
        f"{host} answered {error.code} ({reason})", "use a mirror, or look for a newer version of Lightloom"
    )


def _seconds(text: str) -> float:
    """The value of Retry-After: seconds or a date (RFC 9110 §10.2.3)."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
    except (
        ValueError,
        TypeError,
        IndexError,
        OverflowError,
    ):  # email.utils is not strict about what it raises
        return 0.0
    return max(0.0, (when - datetime.now(UTC if when.tzinfo else None)).total_seconds())


def _of_connection(error: BaseException, host: str) -> Exception:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Failed(
            f"the certificate of {host} is not valid ({cause.verify_message})",
            "check this machine's clock and proxy",
        )
    if isinstance(cause, TimeoutError):
        return Interrupted(f"{host} does not answer")
    if isinstance(cause, socket.gaierror):
        return Interrupted(f"the name {host} is not known on this network")
    if isinstance(cause, str):  # urllib's own: a proxy of a kind that it does not know
        return Failed(f"{host} cannot be reached ({cause})", "check the proxy settings of the environment")
    return Interrupted(f"the connection to {host} failed ({_first_line(cause)})")


def _first_line(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0][:120]
