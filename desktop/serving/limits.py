"""What the server allows, in one place: everything that a client could make large or slow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_MIB: Final = 1 << 20
_FREE_BYTES: Final = 32 * _MIB
"""A request for a network with free sizes beside the batch: a picture of 1080p has 25 MB as floats."""
_LEAST_BYTES: Final = _MIB
_JSON_DIGITS: Final = 24
"""Characters of an element in JSON: -1.2345678901234567e-123 and a comma."""
_MOST_JSON: Final = 32 * _MIB


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds.

    Attributes:
        request_bytes: of a request's tensors.
        json_bytes: of the JSON of a request. Parsed it takes about ten times as much.
        in_flight_bytes: of all requests that are being read, wait or run.
        queue: requests that wait for a model.
        connections: of HTTP that are open at a time.
        head_s: for the head of a request, and for a connection that says nothing.
        body_s: for the body of a request, and for a client to take its answer.
        answer_s: for a request from its last byte on; a client may ask for less.
        drain_s: for what waits when the server ends.
        connection_age_s: a gRPC connection is asked to reconnect after this. It is what ends one that began a request and never went on.
    """

    request_bytes: int = _FREE_BYTES
    json_bytes: int = _MOST_JSON
    in_flight_bytes: int = 2 << 30
    queue: int = 128
    connections: int = 512
    head_s: float = 30.0
    body_s: float = 30.0
    answer_s: float = 30.0
    drain_s: float = 30.0
    connection_age_s: float = 300.0

    @property
    def rpcs(self) -> int:
        """gRPC calls at a time: no more than what all of them together may take."""
        return max(8, min(1024, self.in_flight_bytes // self.request_bytes))


def sizes_for(most: Iterable[tuple[int, int] | None]) -> tuple[int, int]:
    """Return the bytes of a request and of its JSON that some models need.

    Args:
        most: of each model the bytes and the elements of its largest request; None for one that has free sizes.
    """
    known = list(most)
    if None in known:
        return _FREE_BYTES, _MOST_JSON
    bytes_ = max((each[0] for each in known if each), default=0)
    elements = max((each[1] for each in known if each), default=0)
    return _LEAST_BYTES + bytes_, min(_MOST_JSON, _LEAST_BYTES + elements * _JSON_DIGITS)
