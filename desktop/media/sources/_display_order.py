"""Presentation timestamps for AVI, which numbers packets in decoding order only: decoders return frames in
display order, so each one has the smallest number not yet returned.
"""

from __future__ import annotations

import heapq
from typing import Any, Final

# More than any decoder holds, reordering and frame threads together; what is older was dropped by it.
_MOST_WAITING: Final = 96
# Their encoders' delay is written as empty packets at the beginning, whether or not frames are reordered.
_REORDERING: Final = frozenset({"h264", "hevc"})
_LONGEST_HOLE: Final = 2


class DisplayOrder:
    """Assigns packet numbers to decoded frames, from one seek to the next. A late second packet in `stream`
    is the muxer's allowance for reordered frames, not a pause.
    """

    def __init__(self, stream: Any) -> None:
        self._waiting: list[int] = []
        entries = stream.index_entries
        self._first = entries[0].timestamp if len(entries) > 1 else 0
        reorders = len(entries) > 1 and stream.codec_context.codec.canonical_name in _REORDERING
        self._hole = max(0, entries[1].timestamp - self._first - 1) if reorders else 0
        if self._hole > _LONGEST_HOLE:
            self._hole = 0

    def send(self, packet: Any) -> None:
        """Note a packet that the decoder is about to be given."""
        if packet.size and packet.dts is not None:
            number = packet.dts - (self._hole if packet.dts > self._first else 0)
            heapq.heappush(self._waiting, number)
            # So that each frame says which packet it was in.
            packet.pts = number
        self._drop_below(-1)

    def stamp_of(self, picture: Any, *, skipping: bool) -> int | None:
        """Return the next frame's presentation timestamp in ticks; `skipping` leaves its number unused."""
        own = picture.pts
        if own is not None and (skipping or picture.key_frame):
            # What went in before a key frame is shown before it.
            self._drop_below(own)
        return heapq.heappop(self._waiting) if self._waiting else own

    def _drop_below(self, number: int) -> None:
        while self._waiting and (self._waiting[0] < number or len(self._waiting) > _MOST_WAITING):
            heapq.heappop(self._waiting)
