"""Decoders of the transparency of VP8 and VP9 (WebM's BlockAdditional), which FFmpeg's own drop silently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import av

# AVCOL_SPC_UNSPECIFIED
_UNSPECIFIED: Final = 2
_DECODERS: Final[Mapping[str, str]] = {"vp8": "libvpx", "vp9": "libvpx-vp9"}


def has_alpha(stream: Any) -> bool:
    """Return whether an `av.VideoStream` declares transparency that its default decoder drops."""
    return stream.codec_context.name in _DECODERS and stream.metadata.get("alpha_mode") == "1"


def leaves_out_alpha(container: Any, stream: Any) -> bool:
    """Return whether a file has transparency that the usual decoder of a stream ignores; also for AVIF."""
    return has_alpha(stream) or any(each.metadata.get("title") == "Alpha" for each in container.streams.video)


class AlphaDecoder:
    """Decodes images of a stream with their transparency. One thread at a time."""

    def __init__(self, stream: Any, options: Mapping[str, str]) -> None:
        """Open the decoder for a stream that `has_alpha`; ValueError if this build of FFmpeg has none."""
        usual = stream.codec_context
        # The container's description of the colors: libvpx gives none for VP8.
        self._colorspace, self._color_range = usual.colorspace, usual.color_range
        context: Any = av.CodecContext.create(_DECODERS[usual.name], "r")
        context.width, context.height = usual.width, usual.height
        context.extradata = usual.extradata
        context.options = dict(options)
        context.thread_type = "AUTO"
        self._context = context

    def decode(self, packet: Any) -> list[Any]:
        """Return the `av.VideoFrame`s that a packet completes; an empty packet gives those that are left."""
        frames = list(self._context.decode(packet))
        for frame in frames:
            if frame.colorspace == _UNSPECIFIED:
                frame.colorspace = self._colorspace
            if frame.color_range == 0:
                frame.color_range = self._color_range
        return frames

    def flush(self) -> None:
        """Forget what came before a seek."""
        self._context.flush_buffers()

    def skip(self, skip_frame: str) -> None:
        """Leave out images, as FFmpeg's `skip_frame` names them."""
        self._context.skip_frame = skip_frame
