"""Pictures written to disk: snapshots and batch output.

A file is written beside its target and takes that name at the end, so that a full disk or a kill leaves an older one as it was
(`desktop/files.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from desktop.errors import ExportError
from desktop.files import reason, replace_file
from desktop.wording import sentence


@dataclass(frozen=True)
class _StillForm:
    """An encoder of FFmpeg's and the pixel formats that it is given, without and with alpha."""

    encoder: str
    opaque: str
    alpha: str
    options: dict[str, str]


_JPEG: Final = _StillForm(
    "mjpeg", "yuvj444p", "yuvj444p", {"flags": "+bitexact+qscale", "qmin": "1", "global_quality": "177"}
)
_TIFF: Final = _StillForm("tiff", "rgb24", "rgba", {"compression_algo": "lzw"})
_STILLS: Final[dict[str, _StillForm]] = {
    ".png": _StillForm("png", "rgb24", "rgba", {"compression_level": "2", "pred": "sub"}),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".webp": _StillForm("libwebp", "bgra", "bgra", {"lossless": "1", "compression_level": "2"}),
    ".tif": _TIFF,
    ".tiff": _TIFF,
    # FFmpeg writes BMP's first header, by which most readers take the fourth byte for nothing.
    ".bmp": _StillForm("bmp", "bgr24", "bgr24", {}),
}
IMAGE_SUFFIXES: Final = tuple(_STILLS)


def _encoded_still(picture: np.ndarray, pixels: str, form: _StillForm) -> bytes:
    height, width = picture.shape[:2]
    context = av.CodecContext.create(form.encoder, "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt = width, height, pixels
    context.time_base = Fraction(1, 25)  # asked for by every encoder, used by none of these
    context.thread_count = 1  # with more, they wait for further pictures
    context.options = {"flags": "+bitexact", **form.options}
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgba")
    # The matrix and the range count for JPEG alone (JFIF 1.02: BT.601, full).
    frame = frame.reformat(format=pixels, dst_colorspace=Colorspace.ITU601, dst_color_range=ColorRange.JPEG)
    return b"".join(bytes(packet) for given in (frame, None) for packet in context.encode(given))


def write_image(picture: np.ndarray, path: Path) -> None:
    """Write one picture; the suffix chooses the format.

    Args:
        picture: uint8 [height, width, 4], R'G'B' with straight alpha; JPEG and BMP get it without alpha.
        path: PNG, JPEG, WebP, TIFF or BMP.

    Raises:
        ExportError: an unknown suffix, or the file cannot be written.
    """
    form = _STILLS.get(path.suffix.lower())
    if form is None:
        raise ExportError(
            sentence(
                "{name} has no suffix of a picture; use one of {image_suffixes}.",
                name=path.name,
                image_suffixes=", ".join(IMAGE_SUFFIXES),
            )
        )
    opaque = bool((picture[..., 3] == 255).all())
    try:
        data = _encoded_still(picture, form.opaque if opaque else form.alpha, form)
    except (
        av.FFmpegError,
        ValueError,
    ) as error:  # as for more pixels a side than the format has room for: WebP's 16383
        raise ExportError(
            sentence(
                "The picture of {width} x {height} pixels could not be encoded as {suffix}; choose another "
                "format.",
                width=picture.shape[1],
                height=picture.shape[0],
                suffix=path.suffix,
            )
        ) from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, [data])
    except (OSError, ValueError) as error:
        raise ExportError(
            sentence(
                "{path} cannot be written: {reason}; check that its folder can be written to.",
                path=path,
                reason=reason(error),
            )
        ) from error
