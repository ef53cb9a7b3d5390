"""An image as the bytes of a still: FFmpeg's encoders, for files and for what is sent."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace


def encoded_still(
    picture: np.ndarray,
    encoder: str,
    pixels: str,
    options: Mapping[str, str],
    *,
    given: str = "rgba",
    tags: tuple[int, int] | None = None,
) -> bytes:
    """Encode one image, [height, width, channels] in the pixel format `given`: uint8 for 'rgba' and 'rgb24', uint16
    for 'rgba64le'.

    `pixels` is the encoder's format, `tags` are primaries and transfer function (ITU-T H.273). Raises
    av.FFmpegError or ValueError, e.g. if a side exceeds its limit.
    """
    height, width = picture.shape[:2]
    context = av.CodecContext.create(encoder, "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt = width, height, pixels
    context.time_base = Fraction(1, 25)  # required by every encoder, used by none of these
    context.thread_count = 1  # with more, they wait for further images
    context.options = {"flags": "+bitexact", **options}
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), given)
    # The matrix and the range count for JPEG alone (JFIF 1.02: BT.601, full).
    frame = frame.reformat(format=pixels, dst_colorspace=Colorspace.ITU601, dst_color_range=ColorRange.JPEG)
    if tags is not None:
        frame.color_primaries, frame.color_trc = context.color_primaries, context.color_trc = tags
    return b"".join(bytes(packet) for each in (frame, None) for packet in context.encode(each))
