"""The port that metrics are scraped from: whatever a client sends, it is answered or hung up on, and the next
client is answered.

An input is what a client sends on one connection, in pieces divided by `%%`; it then says that it has no
more.
"""

from __future__ import annotations

import functools
from pathlib import Path

from desktop.metrics.address import Address
from desktop.metrics.exporter import Exporter
from desktop.metrics.process_reader import ProcessReader
from fuzz.harness import Finding, Harness
from fuzz.serving import check_growth
from fuzz.talking import talk

_TRIES = 20
# Costs the server less than a scrape, of which it takes few a second; what scrapes are is among the seeds.
_ELSEWHERE = b"GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n"


@functools.cache
def _address() -> tuple[str, int]:
    """The exporter; it ends with the process."""
    exporter = Exporter(Address("127.0.0.1", 0), (ProcessReader(),))
    exporter.start()
    return exporter.address.host, exporter.address.port


def _read(data: bytes, folder: Path) -> None:
    answer = talk(_address(), data.split(b"%%"), hangs_up=True)
    if b" 500 " in answer.split(b"\r\n")[0]:
        raise Finding("a request ends in an error of the server's own")
    # Several tries: while it is at its limits, the server hangs up.
    if not any(b" 404 " in talk(_address(), [_ELSEWHERE]).split(b"\r\n")[0] for _ in range(_TRIES)):
        raise Finding("the server does not answer the next client")
    check_growth()


def _seeds(folder: Path) -> list[bytes]:
    open_metrics = b"Accept: application/openmetrics-text; version=1.0.0\r\n"
    return [
        b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /metrics?name[]=a&name[]=b HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" + open_metrics + b"\r\n",
        b"GET /metrics HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n",
        b"HEAD /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n%%body",
        b"GET http://localhost/metrics HTTP/1.1\r\n%%Host: localhost\r\n\r\n",
        _ELSEWHERE,
        _ELSEWHERE + b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"%%",
        b"\r\n\r\n",
        b"/metrics",
        b"name[]=",
        b"Host: example.org\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Accept-Encoding: gzip;q=0\r\n",
        b"Accept: application/openmetrics-text; version=9\r\n",
        b"Expect: 100-continue\r\n",
        b"HTTP/9.9",
        b"HTTP/1.",
        b" \t",
        b"%00",
        b"\xff\xfe",
        b"/../",
    ),
    memory_mb=300,
    largest=1 << 15,
)
