"""The server's HTTP side: whatever a client sends, it is answered or hung up on, and the next client is
answered.

An input is what a client sends on one connection, in pieces divided by `%%`; it then waits for an answer.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from fuzz.harness import Finding, Harness
from fuzz.json_mutation import mutated_json
from fuzz.serving import check_growth, rig
from fuzz.talking import talk

_HEAD_S = 0.3
_TRIES = 20
_LIVE = b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def _read(data: bytes, folder: Path) -> None:
    answer = _talk(data.split(b"%%"))
    # What begins an answer: a body may repeat such words.
    if answer.startswith(b"HTTP/1.1 500"):
        raise Finding("a request ends in an error of the server's own")
    # Several tries: where the machine is busy, the time for a head may be over before the server has looked
    # at it.
    if not any(_talk([_LIVE]).startswith(b"HTTP/1.1 200") for _ in range(_TRIES)):
        raise Finding("the server does not answer the next client")
    check_growth()


def _talk(parts: list[bytes]) -> bytes:
    host, port = rig(_HEAD_S).http.split(":")
    return talk((host, int(port)), parts)


def _post(path: str, body: bytes, head: bytes = b"") -> bytes:
    length = f"Content-Length: {len(body)}\r\n\r\n".encode()
    return f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + head + length + body


def _seeds(folder: Path) -> list[bytes]:
    entry = {"name": "x", "datatype": "FP32", "shape": [2, 4], "data": [1, 2, 3, 4, 5, 6, 7, 8]}
    plain = json.dumps({"id": "1", "inputs": [entry]}).encode()
    raw = {"name": "x", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": 16}}
    outputs = [{"name": "y", "parameters": {"binary_data": True}}]
    head = json.dumps({"inputs": [raw], "outputs": outputs}).encode()
    flag = {"name": "c", "datatype": "BOOL", "shape": [1, 3], "data": [[True, False, True]]}
    pair = [
        {"name": name, "datatype": "FP32", "shape": [1, 2, 2], "data": [[[1, 2], [3, 4.5]]]} for name in "ab"
    ]
    size = f"Inference-Header-Content-Length: {len(head)}\r\n".encode()
    chunked = (
        b"POST /v2/models/affine/infer HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    return [
        _post("/v2/models/affine/infer", plain),
        _post("/v2/models/affine/infer", head + bytes(16), size),
        _post("/v2/models/two/infer", json.dumps({"inputs": [*pair, flag]}).encode()),
        chunked + f"{len(plain):x}\r\n".encode() + plain + b"\r\n0\r\n\r\n",
        _post("/v2/repository/index", b"{}"),
        _post("/v2/repository/models/affine/unload", b"{}"),
        b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v2/models/affine HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v2/models/affine/versions/1/config HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /v2/models/stats HTTP/1.1\r\nHost: [::1]:80\r\nAuthorization: Bearer x\r\n\r\n",
        b"GET /v2/health/ready HTTP/1.0\r\n\r\n",
    ]


def _mutate(data: bytes, random: Random) -> bytes | None:
    """JSON that stays JSON in a request that stays a request."""
    top, gap, body = data.partition(b"\r\n\r\n")
    end = body.rfind(b"}") + 1
    if not gap or not end or (changed := mutated_json(body[:end], random)) is None:
        return None
    changed = changed.rstrip(b"\n")
    lines = [
        line
        for line in top.split(b"\r\n")
        if not line.lower().startswith((b"content-length", b"inference-header"))
    ]
    rest = body[end:]
    if rest:
        lines.append(b"Inference-Header-Content-Length: %d" % len(changed))
    lines.append(b"Content-Length: %d" % (len(changed) + len(rest)))
    return b"\r\n".join(lines) + gap + changed + rest


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"%%",
        b"\r\n\r\n",
        b"POST /v2/models/affine/infer HTTP/1.1\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Expect: 100-continue\r\n",
        b"Upgrade: websocket\r\nConnection: upgrade\r\n",
        b"Inference-Header-Content-Length: 18446744073709551616\r\n",
        b"ffffffffffffffff\r\n",
        b'"shape":[-1,4]',
        b'"shape":[4294967296,4294967296]',
        b'"datatype":"BYTES"',
        b'"binary_data_size":-1',
        b"NaN",
        b"1e999",
        b"[",
        b"{",
        b"\xff\xfe",
        b"/../",
        b"%00",
        b"versions",
    ),
    _mutate,
    memory_mb=300,
    largest=1 << 16,
)
