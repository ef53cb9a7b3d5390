"""HTTP requests: bounded, cancelable at once, and by default through the environment's proxies.

Built on urllib for its redirects and proxies. Connections are made here, so that another thread can shut down
their sockets, which wakes a waiting reader.

A socket's timeout restarts with each byte, so a slow server could hold a request forever. Each request
therefore has a deadline for its header, redirects included, then one that its reader extends as the body
arrives. Not httpx or urllib3: their timeouts also apply to single reads.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
import weakref
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from typing import IO, Any, Final
from urllib.parse import urlsplit

from desktop.base.wording import sentence
from desktop.net.deadline import Deadline
from desktop.net.socket_connect import Address, connect

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOST_REDIRECTS: Final = 8


_LATER: Final = sentence("try again later")


class Failed(Exception):
    """This address cannot give the file; `advice` is what to do about it."""

    def __init__(self, what: str, advice: str = _LATER) -> None:
        self.advice = advice
        super().__init__(what)


class Interrupted(Exception):
    """Temporary failure: dropped or slow connection, busy server; `wait_s` is its requested delay or 0."""

    def __init__(self, what: str, wait_s: float = 0.0) -> None:
        self.wait_s = wait_s
        super().__init__(what)


class RangeGone(Exception):
    """The requested range no longer exists (416): the file has changed."""


@dataclass(frozen=True)
class Response:
    """An open answer, whose body the deadline guards; to be closed."""

    http: http.client.HTTPResponse
    deadline: Deadline

    @property
    def status(self) -> int:
        """The status, 2xx."""
        return self.http.status

    @property
    def headers(self) -> Message:
        """The header fields."""
        return self.http.headers

    def read1(self, count: int) -> bytes:
        """Return up to `count` bytes of the body as they come, b'' at its end; raise TimeoutError if none
        come, OSError or http.client.HTTPException if the connection broke.
        """
        try:
            return self.http.read1(count)
        finally:
            # A connection that was shut looks like one that ended.
            if self.deadline.passed:
                raise TimeoutError

    def close(self) -> None:
        """End the request."""
        self.deadline.stop()
        self.http.close()


class HttpClient:
    """Makes requests for one download. `get` may be called on several threads, `abort` on any."""

    def __init__(self, stall_s: float, schemes: tuple[str, ...], *, uses_proxies: bool = True) -> None:
        self._stall_s = stall_s
        self._deadlines: weakref.WeakSet[Deadline] = weakref.WeakSet()
        self._lock = threading.Lock()
        # The deadline of this thread's request: urllib passes nothing that identifies a connection's request.
        self._current = threading.local()
        self._aborted = False
        self._opener = urllib.request.OpenerDirector()
        # Added one by one: `build_opener` would also open files and FTP, where a redirect could lead.
        for handler in (
            urllib.request.ProxyHandler(None if uses_proxies else {}),
            urllib.request.UnknownHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            Redirects(schemes),
            _Handler(self),
        ):
            self._opener.add_handler(handler)

    def get(self, address: str, headers: dict[str, str], body: bytes | None = None) -> Response:
        """Request a file and return the open response, with status 2xx and its header received within
        `stall_s`. A `body` is posted, with its type in `headers`.

        Raises:
            Failed: this address will not deliver it, or redirects a request with a body.
            Interrupted: it may, later.
            RangeGone: the response was 416.
        """
        host = urlsplit(address).hostname or address
        request = urllib.request.Request(
            address, body, {"User-Agent": "Lightloom", "Accept-Encoding": "identity", **headers}
        )
        deadline = self._current.deadline = Deadline(self._stall_s)
        with self._lock:
            self._deadlines.add(deadline)
            if self._aborted:
                deadline.cut()
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._stall_s)
            if deadline.passed:
                response.close()
                raise TimeoutError
        except BaseException as error:
            deadline.stop()
            raise self._meaning(error, host, late=deadline.passed) from error
        deadline.put_off()
        return Response(response, deadline)

    @staticmethod
    def _meaning(error: BaseException, host: str, *, late: bool) -> BaseException:
        """Return a request's error as a download's; the error itself if not related to the network."""
        if isinstance(error, urllib.error.HTTPError):
            error.close()
            return _of_status(error, host)
        if isinstance(error, Failed):
            return error
        if late and isinstance(error, (OSError, http.client.HTTPException, ValueError)):
            return Interrupted(sentence("{host} does not answer", host=host))
        if isinstance(error, (http.client.InvalidURL, ValueError)):
            return Failed(
                sentence("{host} sent the request on to something that is no address", host=host),
                sentence("use a mirror"),
            )
        if isinstance(error, (urllib.error.URLError, OSError, http.client.HTTPException)):
            return _of_connection(error, host)
        return error

    def abort(self) -> None:
        """End all connections, those that wait too; later requests fail."""
        with self._lock:
            self._aborted = True
            deadlines = list(self._deadlines)
        for deadline in deadlines:
            deadline.cut()

    def connect(self, address: Address, timeout_s: float, source: None = None) -> socket.socket:
        """Open a connection for this thread's request; called like `socket.create_connection`."""
        return connect(address, timeout_s, self._current.deadline)


class _Connection(http.client.HTTPConnection):
    def __init__(self, client: HttpClient, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        # http.client creates the socket here, before the proxy tunnel and TLS handshake, which may hang.
        self._create_connection = client.connect


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    pass


class _Handler(urllib.request.AbstractHTTPHandler):
    def __init__(self, client: HttpClient) -> None:
        super().__init__()
        self._client = client
        self._context: ssl.SSLContext | None = None

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(partial(_Connection, self._client), request)

    def https_open(self, request: urllib.request.Request) -> Any:
        if self._context is None:
            self._context = ssl.create_default_context()
        make = partial(_SecureConnection, self._client)
        return self.do_open(make, request, context=self._context)

    http_request = urllib.request.AbstractHTTPHandler.do_request_
    https_request = urllib.request.AbstractHTTPHandler.do_request_


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to allowed schemes, not those of a request with a body. Authorization is dropped for
    another server and from https to http.
    """

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
        if req.data is not None:
            # urllib would repeat the request without the body (301 to 303) or fail: either way it is lost.
            raise Failed(
                sentence(
                    "{host} sends the request on, and with it what it carries",
                    host=urlsplit(req.full_url).hostname or "",
                ),
                sentence("give the address that it is sent on to"),
            )
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and (
            following.host != req.host or (req.type, following.type) == ("https", "http")
        ):
            # Authorization is only for the original server, and never leaves TLS for plain HTTP.
            following.remove_header("Authorization")
        return following


def _not_https(host: str) -> Failed:
    return Failed(
        sentence("{host} sent the request on to an address that is not https", host=host),
        sentence("use a mirror"),
    )


def _of_status(error: urllib.error.HTTPError, host: str) -> Exception:
    reason = http.client.responses.get(error.code, "unknown")
    if error.code == 416:
        return RangeGone()
    if 300 <= error.code < 400:
        # urllib itself refuses what is neither http nor https, with the same error as a loop.
        scheme = error.headers.get("Location", "").partition(":")[0].lower()
        if "/" in scheme or scheme in ("", "http", "https"):
            return Failed(
                sentence("{host} sends the request round and round", host=host), sentence("use a mirror")
            )
        return _not_https(host)
    if error.code in _AGAIN:
        return Interrupted(
            sentence("{host} answered {code} ({reason})", host=host, code=error.code, reason=reason),
            _seconds(error.headers.get("Retry-After", "")),
        )
    return Failed(
        sentence("{host} answered {code} ({reason})", host=host, code=error.code, reason=reason),
        sentence("use a mirror, or look for a newer version of Lightloom"),
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
            sentence(
                "the certificate of {host} is not valid ({verify_message})",
                host=host,
                verify_message=cause.verify_message,
            ),
            sentence("check this machine's clock and proxy"),
        )
    if isinstance(cause, TimeoutError):
        return Interrupted(sentence("{host} does not answer", host=host))
    if isinstance(cause, socket.gaierror):
        return Interrupted(sentence("the name {host} is not known on this network", host=host))
    if isinstance(cause, str):  # urllib's own: a proxy of a kind that it does not know
        return Failed(
            sentence("{host} cannot be reached ({cause})", host=host, cause=cause),
            sentence("check the proxy settings of the environment"),
        )
    return Interrupted(
        sentence("the connection to {host} failed ({first_line})", host=host, first_line=_first_line(cause))
    )


def _first_line(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0][:120]
