"""Limits of the server on everything that a client could make large or slow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_MIB: Final = 1 << 20
_FREE_BYTES: Final = 32 * _MIB
"""For networks with other dynamic sizes than the batch: a 1080p image has 25 MB as floats."""
_LEAST_BYTES: Final = _MIB
_JSON_DIGITS: Final = 24
"""Characters per element in JSON: -1.2345678901234567e-123 and a comma."""
_MOST_JSON: Final = 32 * _MIB


@dataclass(frozen=True)
class Limits:
    """Limits; sizes in bytes, times in seconds.

    Attributes:
        json_bytes: of the JSON of a request. Parsing takes about ten times as much memory.
        in_flight_bytes: of all requests that are being read, queued or computed.
        queue: requests queued for a model.
        image_pixels: of an encoded image.
        head_s: for the header of a request, and for an idle connection.
        body_s: for the body of a request, and for a client to read its response.
        answer_s: for a request from its last byte on; a client may set less.
        drain_s: for pending requests at shutdown.
        connection_age_s: of a gRPC connection, to end one whose client never completes a request.
    """

    request_bytes: int = _FREE_BYTES
    json_bytes: int = _MOST_JSON
    in_flight_bytes: int = 2 << 30
    queue: int = 128
    image_pixels: int = 1 << 24
    connections: int = 512
    head_s: float = 30.0
    body_s: float = 30.0
    answer_s: float = 30.0
    drain_s: float = 30.0
    connection_age_s: float = 300.0

    @property
    def rpcs(self) -> int:
        """Maximum number of concurrent gRPC calls, so that together they stay within `in_flight_bytes`."""
        return max(8, min(1024, self.in_flight_bytes // self.request_bytes))


def sizes_for(most: Iterable[tuple[int, int] | None]) -> tuple[int, int]:
    """Return the sizes in bytes that the models need for a request and for its JSON.

    `most` has the bytes and elements of each model's largest request; None for dynamic sizes.
    """
    known = list(most)
    if None in known:
        return _FREE_BYTES, _MOST_JSON
    bytes_ = max((each[0] for each in known if each), default=0)
    elements = max((each[1] for each in known if each), default=0)
    return _LEAST_BYTES + bytes_, min(_MOST_JSON, _LEAST_BYTES + elements * _JSON_DIGITS)
