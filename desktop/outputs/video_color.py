"""Color of the frames that are written: tags of ITU-T H.273 and HDR metadata, and the choice to keep HDR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from desktop.base.errors import ExportError
from desktop.base.wording import sentence
from desktop.media.frame import Frame, HdrMetadata

HdrUse = Literal["tonemap", "keep"]
HDR_USES: Final = ("tonemap", "keep")

# ITU-T H.273, tables 2 and 3.
_PRIMARIES: Final = {"bt709": 1, "bt601-625": 5, "bt601-525": 6, "bt2020": 9, "p3": 12}
_TRANSFERS: Final = {"pq": 16, "hlg": 18}

BT2020_MATRIX: Final = 9
"""BT.2020's matrix, not of constant luminance (ITU-T H.273, table 4)."""

HDR_NAMES: Final = {"pq": "PQ", "hlg": "HLG"}
"""Names of the transfer functions of HDR."""


@dataclass(frozen=True)
class VideoColor:
    """Color of frames: code points of ITU-T H.273 and metadata; without arguments that of SDR, BT.709."""

    primaries: int = 1
    transfer: int = 1
    matrix: int = 1
    hdr: HdrMetadata = field(default_factory=HdrMetadata)

    @property
    def is_hdr(self) -> bool:
        """True for PQ and HLG."""
        return self.transfer in _TRANSFERS.values()


def hdr_color(frame: Frame) -> VideoColor:
    """Return the color of a video whose frames keep the coding of an HDR frame."""
    color = frame.color
    return VideoColor(_PRIMARIES[color.primaries], _TRANSFERS[color.transfer], BT2020_MATRIX, frame.hdr)


def with_one_color(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield frames; raise ExportError for one with another transfer function or primaries than the first,
    which a file with kept HDR cannot hold.
    """
    first = None
    for frame in frames:
        coding = (frame.color.transfer, frame.color.primaries)
        first = first or coding
        if coding != first:
            raise ExportError(
                sentence(
                    "The color of the frames changes at {seconds:.2f} s, and a file holds one dynamic range; let "
                    "HDR become SDR (--hdr tonemap), or write a part (--range).",
                    seconds=frame.pts,
                )
            )
        yield frame
