"""Encoded images as inputs: BYTES with the parameter `decode` are decoded and preprocessed as the network expects.

Element encoding of BYTES in binary tensors, four bytes of length before each element:
https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from desktop.base.errors import LightloomError, ServingError, SourceError
from desktop.media.display import small_rgb
from desktop.media.sources.image import check_image, decode_image
from desktop.pipeline.running.inputs.host_preprocess import prepare_image
from desktop.serving.tensors import shown
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess, choose_preprocess
from desktop.vision.tasks import recognize
from desktop.vision.tasks.task import ResultTask

DECODE: Final = "decode"
"""The parameter of an input that states what its elements are."""
IMAGE: Final = "image"
KINDS: Final = ("jpeg", "png", "webp")
_PIXEL_BYTES: Final = 12
"""Memory for a pixel while an image is decoded, converted and filtered."""
_LENGTH: Final = 4
_MOST_DIMENSIONS: Final = 2


def image_preprocess(file: ModelFile) -> Preprocess | str:
    """Return the preprocessing of a network's image input, or why images cannot be prepared for it."""
    try:
        found = recognize(file)
        if found is None:
            plan, _ = choose_preprocess(file.path, file.facts)
        else:
            values = found.task.settled(file, {})
            if isinstance(found.task, ResultTask) and found.task.needs_trial(file, values):
                return "Its file leaves open how images are prepared; name its decoder in the settings beside it."
            plan, _ = found.task.prepare(file, values, {})
    except LightloomError as error:
        return str(error)
    return plan


def is_image(datatype: object, decode: object, name: str) -> bool:
    """Return True for an input of encoded images. Raises ServingError for other BYTES or another `decode`."""
    if datatype != "BYTES" and decode is None:
        return False
    if datatype != "BYTES" or decode != IMAGE:
        raise ServingError(
            "invalid",
            f"The input '{name}' is {shown(datatype)} "
            + (
                "without the parameter 'decode'"
                if decode is None
                else f"with the parameter 'decode' {shown(decode)}"
            )
            + "; encoded images are BYTES, and their parameter 'decode' is 'image'.",
        )
    return True


def image_count(shape: Sequence[object], most: int) -> int:
    """Return the images of a shape, [N] or [N, 1]. Raises ValueError above `most`, or for another shape."""
    sizes = [size for size in shape[: _MOST_DIMENSIONS + 1] if type(size) is int and 1 <= size <= most]
    if not 1 <= len(shape) <= _MOST_DIMENSIONS or len(sizes) != len(shape) or sizes[1:] not in ([], [1]):
        raise ValueError(
            f"takes images in the shape [N] or [N, 1], N at most {most}, not {shown(list(shape)[:3])}"
        )
    return math.prod(sizes)


def divided_elements(data: bytes | memoryview, count: int) -> tuple[bytes, ...]:
    """Return the elements of a binary BYTES tensor. Raises ValueError if they are not `count`."""
    found: list[bytes] = []
    at = 0
    while at < len(data) and len(found) < count:
        if at + _LENGTH > len(data):
            break
        (size,) = struct.unpack_from("<I", data, at)
        at += _LENGTH
        if at + size > len(data):
            break
        found.append(bytes(data[at : at + size]))
        at += size
    if at != len(data) or len(found) != count:
        raise ValueError(f"has not {count} elements of bytes, each behind its length in four bytes")
    return tuple(found)


def decoded_texts(data: object, count: int) -> tuple[bytes, ...]:
    """Return the elements of a JSON list in base64. Raises ValueError if they are not that, or not `count`."""
    texts = data if isinstance(data, list) else []
    if len(texts) != count or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"has no list of {count} texts in base64 as its data")
    try:
        return tuple(base64.b64decode(text, validate=True) for text in texts)
    except (binascii.Error, ValueError):
        raise ValueError("has a text that is not base64") from None


def tensor_bytes(plan: Preprocess, count: int) -> int:
    """Return the bytes of the tensor of a number of images."""
    return count * math.prod(plan.shape) * np.dtype(plan.dtype).itemsize


def memory_for(images: Sequence[bytes], name: str, most_pixels: int) -> int:
    """Return the bytes that decoding some images, one after the other, needs beside their tensor, by their headers.

    Raises ServingError for one of another kind, or with more than `most_pixels`.
    """
    try:
        pixels = [check_image(image, _title(name, at), KINDS, most_pixels) for at, image in enumerate(images)]
    except SourceError as error:
        raise ServingError("invalid", str(error)) from error
    return max(pixels) * _PIXEL_BYTES


def prepared_rows(
    images: Sequence[bytes], name: str, plan: Preprocess, most_pixels: int
) -> Iterator[np.ndarray]:
    """Yield a row of the tensor for each encoded image. Raises ServingError for one that is damaged."""
    for at, image in enumerate(images):
        yield _prepared(image, _title(name, at), plan, most_pixels)


def _prepared(image: bytes, title: str, plan: Preprocess, most_pixels: int) -> np.ndarray:
    try:
        frame = decode_image(image, title, KINDS, most_pixels).frame
        return prepare_image(plan, small_rgb(frame, frame.display_size))
    except SourceError as error:
        raise ServingError("invalid", str(error)) from error


def _title(name: str, at: int) -> str:
    return f"Image {at + 1} of the input '{name}'"
