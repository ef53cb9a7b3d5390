"""Images written to disk (snapshots, batch output), renamed at the end (`desktop/base/files.py`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import av
import numpy as np

from desktop.base.errors import ExportError, not_written
from desktop.base.files import reason, replace_file
from desktop.base.wording import sentence
from desktop.media.encoded_still import encoded_still
from desktop.outputs.deep_frames import eight_bit, is_deep, sixteen_bit
from desktop.outputs.exr import exr_image
from desktop.outputs.transparency import is_opaque, over_black
from desktop.outputs.video_color import VideoColor


@dataclass(frozen=True)
class _StillForm:
    """An encoder of FFmpeg's and the pixel formats that it is given, without and with alpha; `deep_...`: with 16 bits a
    color, '' if the format has none.
    """

    encoder: str
    opaque: str
    alpha: str
    options: dict[str, str]
    deep_opaque: str = ""
    deep_alpha: str = ""


_JPEG: Final = _StillForm(
    "mjpeg", "yuvj444p", "yuvj444p", {"flags": "+bitexact+qscale", "qmin": "1", "global_quality": "177"}
)
_TIFF: Final = _StillForm("tiff", "rgb24", "rgba", {"compression_algo": "lzw"}, "rgb48le", "rgba64le")
_WEBP: Final = _StillForm("libwebp", "bgra", "bgra", {"lossless": "1", "compression_level": "2"})
_STILLS: Final[dict[str, _StillForm]] = {
    ".png": _StillForm(
        "png", "rgb24", "rgba", {"compression_level": "2", "pred": "sub"}, "rgb48be", "rgba64be"
    ),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".webp": _WEBP,
    ".tif": _TIFF,
    ".tiff": _TIFF,
    # FFmpeg writes BMP's first header, by which most readers take the fourth byte for nothing.
    ".bmp": _StillForm("bmp", "bgr24", "bgr24", {}),
}
# About libjpeg's quality 85, 70 and 50.
_QUANTIZERS: Final = ("4", "8", "13")
_SMALLEST: Final = 16
_EXR: Final = ".exr"
IMAGE_SUFFIXES: Final = (*_STILLS, _EXR)
DEEP_SUFFIXES: Final = (*(suffix for suffix, form in _STILLS.items() if form.deep_opaque), _EXR)
"""Extensions of image files that hold more than 8 bits a color."""

UNTAGGED_SUFFIXES: Final = (".tif", ".tiff")
"""Those of them that do not tell the transfer function of HDR."""


def _of_quality(form: _StillForm, quality: int) -> _StillForm:
    """Return a form with a lossy format's quality on libjpeg's or libwebp's scale; others unchanged."""
    if form is _JPEG:
        # FFmpeg scales MPEG-1's matrix: a quantizer of 13 is about libjpeg's quality 50, and 1 is the finest.
        percent = 5000 / quality if quality < 50 else 200 - 2 * quality
        quantizer = str(round(min(max(0.13 * percent, 1.0), 31.0)))
        # By its limits: a frame's own quality, which counts before `global_quality`, cannot be set from here.
        return replace(form, options={**form.options, "qmin": quantizer, "qmax": quantizer})
    if form is _WEBP and quality < 100:
        return replace(form, options={"lossless": "0", "quality": str(quality)})
    return form


def is_always_deep(path: Path) -> bool:
    """Return whether image files of that name always hold more than 8 bits a color."""
    return path.suffix.lower() == _EXR


def writes_alpha(path: Path) -> bool:
    """Return whether an image file of that name holds transparency."""
    if is_always_deep(path):
        return True
    form = _STILLS.get(path.suffix.lower())
    return form is not None and (form.opaque != form.alpha or form is _WEBP)


def write_image(
    picture: np.ndarray, path: Path, *, quality: int | None = None, color: VideoColor | None = None
) -> None:
    """Write one image; the suffix chooses PNG, JPEG, WebP, TIFF, BMP or OpenEXR.

    Args:
        picture: uint8 or float16 [height, width, 4], R'G'B' with straight alpha; composited over black for JPEG and
            BMP. One of float16 has 16 bits a color in PNG and TIFF, 8 in other files.
        quality: of JPEG and WebP, 1 to 100 (lossless WebP); None for the best of both.
        color: of the image; None for SDR.

    Raises:
        ExportError: an unknown suffix, or the file cannot be written.
    """
    if is_always_deep(path):
        _write(exr_image(picture, color or VideoColor()), path)
        return
    form = _STILLS.get(path.suffix.lower())
    if form is None:
        raise ExportError(
            sentence(
                "{name} has no suffix of an image; use one of {image_suffixes}.",
                name=path.name,
                image_suffixes=", ".join(IMAGE_SUFFIXES),
            )
        )
    if quality is not None:
        form = _of_quality(form, min(max(quality, 1), 100))
    if not writes_alpha(path):
        picture = over_black(picture)
    try:
        data = _encoded(form, picture, color or VideoColor())
    except (
        av.FFmpegError,
        ValueError,
    ) as error:  # as for more pixels a side than the format has room for: WebP's 16383
        raise ExportError(
            sentence(
                "The image of {width} x {height} pixels could not be encoded as {suffix}; choose another "
                "format.",
                width=picture.shape[1],
                height=picture.shape[0],
                suffix=path.suffix,
            )
        ) from error
    _write(data, path)


def _encoded(form: _StillForm, picture: np.ndarray, color: VideoColor) -> bytes:
    opaque = is_opaque(picture)
    if not (is_deep(picture) and form.deep_opaque):
        pixels = form.opaque if opaque else form.alpha
        return encoded_still(eight_bit(picture), form.encoder, pixels, form.options)
    return encoded_still(
        sixteen_bit(picture),
        form.encoder,
        form.deep_opaque if opaque else form.deep_alpha,
        form.options,
        given="rgba64le",
        tags=(color.primaries, color.transfer) if color.is_hdr else None,
    )


def _write(data: bytes, path: Path) -> None:
    """Write a file beside its target and rename it; raise ExportError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, [data])
    except (OSError, ValueError) as error:
        raise not_written(path, reason(error)) from error


def small_jpeg(picture: np.ndarray, longest: int, most_bytes: int) -> bytes:
    """Return an image as JPEG of at most `longest` pixels a side and `most_bytes`: coarser, then smaller.

    `picture` is uint8 [height, width, 4] R'G'B'; its alpha is ignored. Raises av.FFmpegError.
    """
    height, width = picture.shape[:2]
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgba")
    side = min(longest, max(width, height))
    while True:
        across, down = (max(2, round(each * side / max(width, height) / 2) * 2) for each in (width, height))
        pixels = frame.reformat(across, down, format="rgba").to_ndarray()
        for quantizer in _QUANTIZERS:
            options = {"flags": "+bitexact+qscale", "qmin": quantizer, "qmax": quantizer}
            data = encoded_still(pixels, "mjpeg", "yuvj420p", options)
            if len(data) <= most_bytes or side <= _SMALLEST:
                return data
        side //= 2
