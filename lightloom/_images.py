"""Images on their way to the GPU and back: arrays, files and frames become textures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import UsageError
from desktop.compute.gpu.device import Gpu as Device
from desktop.media.frame import RGBA, ColorInfo, Plane
from desktop.media.frame import Frame as RawFrame
from desktop.media.sources.image import load_image
from desktop.pipeline.picture.upload import uploaded
from desktop.pipeline.running.one.picture_network import upload_rgb

if TYPE_CHECKING:
    from lightloom._sources import Frame

    AnyImage = NDArray[np.uint8] | str | os.PathLike[str] | Frame

_SRGB = ColorInfo("rgb", "full", "srgb", "bt709", chroma_centered=True)
_TEXEL_TYPES = {"r32float": (np.float32, 1), "rgba16float": (np.float16, 4)}


def checked_image(array: Any) -> NDArray[np.uint8]:
    """Return an array after checking that it is an image.

    Raises:
        UsageError: it is not uint8 [height, width, 3 or 4].
    """
    if not isinstance(array, np.ndarray):
        raise UsageError(
            f"An image is a NumPy array, a path or a lightloom.Frame, not {type(array).__name__}; give one "
            "of these."
        )
    given = f"{array.dtype} {list(array.shape)}"
    if array.ndim != 3 or array.shape[2] not in (3, 4) or 0 in array.shape:
        raise UsageError(
            f"An image is uint8 [height, width, 3 or 4], R'G'B' with or without alpha, not {given}."
        )
    if array.dtype != np.uint8:
        hint = "multiply it by 255 and round it" if array.dtype.kind == "f" else "bring it to 0..255"
        raise UsageError(
            f"An image is uint8 [height, width, 3 or 4], not {given}; {hint}, then use astype(numpy.uint8)."
        )
    return array


def raw_frame(image: AnyImage, seconds: float = 0.0) -> RawFrame:
    """Return an image as the program's own frame.

    Raises:
        UsageError: the array is not an image.
        SourceError: the file is missing, not an image, or damaged.
    """
    from lightloom._sources import Frame

    if isinstance(image, Frame):
        return image.raw
    if isinstance(image, str | os.PathLike):
        return load_image(Path(image)).frame
    array = checked_image(image)
    height, width, channels = array.shape
    rgba = np.full((height, width, 4), 255, np.uint8)
    rgba[..., :channels] = array
    return RawFrame((Plane(rgba, width * 4, width, height),), RGBA, width, height, _SRGB, pts=seconds)


@contextmanager
def texture_of(device: Device, image: AnyImage) -> Iterator[Any]:
    """Yield a texture with an image for sampling, valid inside the context.

    Raises:
        UsageError: the array is not an image.
        SourceError: the file is missing, not an image, damaged, or too large for the GPU.
    """
    if isinstance(image, np.ndarray):
        texture = upload_rgb(device, np.ascontiguousarray(checked_image(image)[..., :3]))
        try:
            yield texture
        finally:
            texture.destroy()
        return
    uploader = uploaded(device, raw_frame(image))
    texture = uploader.texture
    try:
        yield texture
    finally:
        texture.destroy()
        uploader.close()


def texels_of(device: Device, texture: Any) -> NDArray[np.float32]:
    """Copy an r32float or rgba16float texture to float32 [height, width, channels]; waits for the GPU."""
    dtype, channels = _TEXEL_TYPES[str(texture.format)]
    width, height = texture.width, texture.height
    texel = np.dtype(dtype).itemsize * channels
    stride = -(-width * texel // 256) * 256
    layout = {"offset": 0, "bytes_per_row": stride, "rows_per_image": height}
    data = device.queue.read_texture({"texture": texture}, layout, (width, height, 1))
    rows = np.frombuffer(data, dtype).reshape(height, stride // texel, channels)
    return rows[:, :width].astype(np.float32)


def nearest(values: NDArray[Any], size: tuple[int, int]) -> NDArray[Any]:
    """Return a map [height, width] at another size (width, height), each pixel the nearest value."""
    rows = (np.arange(size[1]) + 0.5) * values.shape[0] / size[1]
    columns = (np.arange(size[0]) + 0.5) * values.shape[1] / size[0]
    return np.ascontiguousarray(values[rows.astype(np.intp)][:, columns.astype(np.intp)])
