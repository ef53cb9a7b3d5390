"""Read transformers' untrusted `preprocessor_config.json` and `config.json`, which Optimum writes beside `model.onnx`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desktop.base.files import read_regular

NAME: Final = "preprocessor_config.json"
INPUT: Final = "pixel_values"
"""Transformers' name of the input; the files are used for no other, which may just be in the same folder."""
_LARGEST: Final = 1 << 16
CONFIG: Final = "config.json"
_LARGEST_CONFIG: Final = 8 << 20  # it may name ten thousands of classes
_INTERPOLATIONS: Final = {0: "nearest", 2: "bilinear", 3: "bicubic"}  # as Pillow's Resampling
_CONVNEXT_UNCROPPED: Final = 384
"""From this size on ConvNeXt's processor stretches the image instead of cropping it."""
_UNNORMALIZED: Final = ("GLPN", "MobileViT", "SuperPoint", "Swin2SR")
"""Processors that never subtract a mean, which their files need not say."""
_LEVIT_CROP: Final = 224 / 256
_SQUARED: Final = ("Beit", "DeiT", "Deit")
"""Processors that stretch the image to a square if `size` is one number; for others it is the shorter side."""
_LEAST: Final = 1e-9
_GAIN_TOLERANCE: Final = 1e-3
"""Deviation of 255 times `rescale_factor` from 1 that is rounding."""


def processor_values(model: Path, input_name: str) -> dict[str, Any]:
    """Return fields of `Preprocess` from the file beside the network or above; width, height: the input's."""
    if input_name != INPUT:
        return {}
    _, found = _first(model, NAME, _LARGEST)
    return _range_of(found) | _placing_of(found) if found is not None else {}


def network_config(model: Path, input_name: str) -> Mapping[str, Any]:
    """Return transformers' `config.json` beside the network or above; empty if there is none."""
    if input_name != INPUT:
        return {}
    return _first(model, CONFIG, _LARGEST_CONFIG)[1] or {}


def config_files(model: Path) -> tuple[Path, ...]:
    """Return the files of transformers beside the network or above that are read, if its input is `INPUT`."""
    found = (_first(model, NAME, _LARGEST), _first(model, CONFIG, _LARGEST_CONFIG))
    return tuple(path for path, content in found if content is not None)


def _first(model: Path, name: str, most: int) -> tuple[Path, Mapping[str, Any] | None]:
    """Return the first file of a name that holds a JSON object, and its content, which is None if there is none."""
    places = [folder / name for folder in (model.parent, model.parent.parent)]
    found = ((path, _read(path, most)) for path in places)
    return next((each for each in found if each[1] is not None), (places[0], None))


def _read(path: Path, most: int) -> Mapping[str, Any] | None:
    try:
        found = json.loads(read_regular(path, most))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_of(config: Mapping[str, Any], *families: str) -> bool:
    """Return whether the file is of a family's processor, under its name in any version."""
    name = config.get("image_processor_type") or config.get("feature_extractor_type")
    return isinstance(name, str) and re.sub("(ImageProcessor|FeatureExtractor).*", "", name) in families


def _range_of(config: Mapping[str, Any]) -> dict[str, Any]:
    is_plain = config.get("do_normalize") is not True and _is_of(config, *_UNNORMALIZED)
    if config.get("do_normalize") is False or is_plain or "image_mean" not in config:
        mean, std = [0.0] * 3, [1.0] * 3
        if config.get("do_normalize") is not False and not is_plain:
            return {}
    else:
        mean, std = _vector(config.get("image_mean")), _vector(config.get("image_std"))
        if not mean or not std or not all(std):
            return {}
        if config.get("include_top") is True:  # EfficientNet's, of classifiers, divides once more
            std = [deviation * deviation for deviation in std]
    scale = "0..255"
    if config.get("do_rescale") is not False:
        scale, factor = "0..1", _number(config.get("rescale_factor", 1 / 255))
        if factor is None or not _LEAST < abs(factor) < 1 / _LEAST:
            return {}
        # As EfficientNet's and Chameleon's: of x in 0..1, (gain x - offset - mean) / std goes in.
        gain, offset = factor * 255, 1.0 if config.get("rescale_offset") is True else 0.0
        if abs(gain - 1.0) > _GAIN_TOLERANCE or offset:
            mean, std = [(value + offset) / gain for value in mean], [value / gain for value in std]
    if not all(map(math.isfinite, (*mean, *std))) or min(map(abs, std)) <= _LEAST:
        return {}
    values = {"scale": scale, "mean": mean, "std": std}
    return values | {"colors": "BGR" if config.get("do_flip_channel_order") is True else "RGB"}


def _placing_of(config: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    resample = config.get("resample")
    if type(resample) is int and resample in _INTERPOLATIONS:
        values["interpolation"] = _INTERPOLATIONS[resample]
    whole = _sides(config.get("size"))
    cut = _sides(config.get("crop_size")) if config.get("do_center_crop") is True else None
    shortest = _shortest(config.get("size"))
    share = _number(config.get("crop_pct"))
    if cut is not None and whole is not None and _is_of(config, "Perceiver"):
        # It crops first, to the share of the sizes, and then resizes.
        return values | _sized(whole) | {"resize": "crop", "crop": min(max(min(whole) / min(cut), 0.01), 1.0)}
    if (
        cut is not None
        and whole is not None
        and (isinstance(config.get("size"), dict) or _is_of(config, *_SQUARED))
    ):
        return values | _sized(cut) | _stretched(cut, whole)
    if cut is not None and (shortest or whole):
        across = min(cut) / (shortest or min(whole or cut))
        if _is_of(config, "Levit"):
            across *= _LEVIT_CROP
        elif _is_of(config, "PoolFormer") and share is not None:
            across *= share
        return values | _sized(cut) | {"resize": "crop", "crop": min(max(across, 0.01), 1.0)}
    if shortest and share is not None:
        is_cut = shortest < _CONVNEXT_UNCROPPED and 0.01 <= share <= 1.0
        placing: dict[str, Any] = {"resize": "crop", "crop": share} if is_cut else {"resize": "stretch"}
        return values | _sized((shortest, shortest)) | placing
    if whole is not None and config.get("keep_aspect_ratio") is not True:
        return values | _sized(whole) | {"resize": "stretch"}
    return values


def _stretched(cut: tuple[int, int], whole: tuple[int, int]) -> dict[str, Any]:
    """Return the placement of the middle of an image that was stretched to a size."""
    if cut == whole:
        return {"resize": "stretch"}
    share = cut[0] / whole[0]
    # Sides in other ratios, or what is wider than the image, cannot be expressed.
    fits = 0.01 <= share <= 1.0 and abs(cut[1] / whole[1] - share) < 0.01
    return {"resize": "stretched_crop", "crop": share} if fits else {"resize": "stretch"}


def _sized(size: tuple[int, int]) -> dict[str, Any]:
    return {"width": size[0], "height": size[1]}


def _sides(size: Any) -> tuple[int, int] | None:
    """Return (width, height) of a size that has both; a number is a square."""
    if _is_side(size):
        return (size, size)
    if isinstance(size, dict) and _is_side(size.get("width")) and _is_side(size.get("height")):
        return (size["width"], size["height"])
    return None


def _shortest(size: Any) -> int:
    """Return the shorter side if it alone sets the size; 0 otherwise, and if the longer one is bounded."""
    found = size.get("shortest_edge") if isinstance(size, dict) and "longest_edge" not in size else None
    return found if isinstance(found, int) and _is_side(found) else 0


def _is_side(value: Any) -> bool:
    return type(value) is int and 1 <= value <= 8192


def _number(value: Any) -> float | None:
    if type(value) not in (int, float):
        return None
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        return None
    return number if math.isfinite(number) else None


def _vector(values: Any) -> list[float]:
    numbers = [_number(value) for value in values] if isinstance(values, Sequence) else []
    found = [number for number in numbers if number is not None]
    return found if len(found) == len(numbers) == 3 else []
