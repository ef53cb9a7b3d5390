"""Find the encoder or decoder that completes a pair: by a sidecar, by name, or as the only one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from desktop.base.errors import LightloomError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.settings import read_settings
from desktop.vision.tasks.common.maps import input_channels
from desktop.vision.tasks.common.prompted import Half
from desktop.vision.tasks.prompted_mask.decoder import find_decoder, is_embedding

OTHER: Final[dict[Half, Half]] = {"encoder": "decoder", "decoder": "encoder"}
# Common names of exports: vision_encoder.onnx belongs to prompt_encoder_mask_decoder.onnx.
_WORDS: Final = re.compile(
    r"prompt_encoder_mask_decoder|vision_encoder|image_encoder|mask_decoder|encoder|decoder|enc|dec"
)
_MOST_LOOKED_AT: Final = 16


def half_of(facts: ModelFacts) -> Half | None:
    """Return whether a network is an encoder or a decoder; None if neither."""
    if find_decoder(facts) is not None:
        return "decoder"
    embeds = any(is_embedding(info.name) and len(info.shape) == 4 for info in facts.outputs)
    takes_picture = input_channels(facts) == 3 or takes_pixels(facts)
    return "encoder" if embeds and facts.inputs == 1 and takes_picture else None


def takes_pixels(facts: ModelFacts) -> bool:
    """Return True if an encoder prepares images itself: its input is pixels [height, width, 3]."""
    return len(facts.input_shape) == 3 and facts.input_shape[2] == 3


def find_other(file: ModelFile, half: Half) -> Path:
    """Return the file that completes a pair of encoder and decoder, or raise ModelUnsupportedError.

    It is named in the sidecar (`decoder = "name.onnx"`), or of suitable ones in the folder the only one, or
    the one whose name differs only in the word for encoder or decoder.
    """
    other = OTHER[half]
    said = read_settings(file.path).get(other)
    if isinstance(said, str) and said:
        return file.path.parent / said
    beside = [path for path in _sibling_networks(file.path) if _is(path, other)]
    alike = [path for path in beside if _stem(path) == _stem(file.path)]
    chosen = alike if len(alike) == 1 else beside
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(path.name for path in chosen)
    reason = (
        sentence("there are several in its folder: {names}", names=names)
        if chosen
        else sentence("there is none in its folder")
    )
    if half == "encoder":
        text = sentence(
            "{name} is the encoder of a pair and needs its decoder ({reason}); put the one that was "
            "exported with it beside it, or name it "
            'in {name}.lightloom.toml: decoder = "file.onnx".',
            name=file.name,
            reason=reason,
        )
    else:
        text = sentence(
            "{name} is the decoder of a pair and needs its encoder ({reason}); put the one that was "
            "exported with it beside it, or name it "
            'in {name}.lightloom.toml: encoder = "file.onnx".',
            name=file.name,
            reason=reason,
        )
    raise ModelUnsupportedError(text)


def _sibling_networks(path: Path) -> Iterator[Path]:
    try:
        names = sorted(
            each for each in path.parent.iterdir() if each.suffix.lower() == ".onnx" and each != path
        )
    except OSError:
        return iter(())
    # Only files named as encoder or decoder, most similar first: a folder may hold hundreds of networks.
    spoken = [each for each in names if _WORDS.search(each.name.lower())]
    return iter(sorted(spoken, key=lambda each: _stem(each) != _stem(path))[:_MOST_LOOKED_AT])


def _stem(path: Path) -> str:
    return _WORDS.sub("", path.name.lower())


def _is(path: Path, half: Half) -> bool:
    try:
        with ModelFile.opened(path) as file:
            return half_of(file.facts) == half
    except LightloomError:
        return False
