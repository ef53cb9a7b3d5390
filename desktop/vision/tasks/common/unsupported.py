"""Common kinds of networks that are not supported; each is refused with an explanation and advice."""

from __future__ import annotations

from typing import Final

from desktop.base.errors import ModelUnsupportedError, Refusal
from desktop.base.wording import Text, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks.common.maps import input_channels, output_channels

_WORDS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids", "tokens", "text", "position_ids"})


def refuse_unsupported(facts: ModelFacts) -> None:
    """Raise ModelUnsupportedError, with the evidence, for a network of a kind that no task supports."""
    for said_of in (_of_words, _of_inpainting, _of_query_masks):
        text = said_of(facts)
        if text is not None:
            names = ", ".join(info.name for info in (*facts.others, *facts.outputs))
            raise ModelUnsupportedError(
                text, (Refusal(sentence("its inputs and outputs {names}", names=names)),)
            )


def _of_words(facts: ModelFacts) -> Text | None:
    names = [name for name in (facts.input_name, *(other.name for other in facts.others)) if name in _WORDS]
    if not names:
        return None
    return sentence(
        "{name} takes text beside images (input '{input}'); export its image part by itself, as a CLIP "
        "network's image tower.",
        name=facts.file_name,
        input=names[0],
    )


def _of_inpainting(facts: ModelFacts) -> Text | None:
    if input_channels(facts) != 3 or output_channels(facts) != 3 or len(facts.others) != 1:
        return None
    mask = facts.others[0]
    shape = mask.shape
    alike = len(shape) == 4 and (1 in shape[1::2] or "mask" in mask.name.lower())
    if not alike or not mask.dtype.startswith("float"):
        return None
    return sentence(
        "{name} fills in the part of an image that a mask covers, and its input '{input}' needs that "
        "mask, which no filter here makes; choose a network that takes an image alone.",
        name=facts.file_name,
        input=mask.name,
    )


_SMALLEST_MAP: Final = 8
"""Of a mask's sides: what has fewer is a list of numbers."""


def _of_query_masks(facts: ModelFacts) -> Text | None:
    """MaskFormer's form: [1, queries, classes + 1] and [1, queries, height, width]."""
    rows = [info for info in facts.outputs if len(info.shape) == 3]
    maps = [info for info in facts.outputs if len(info.shape) == 4]
    if len(rows) != 1 or len(maps) != 1 or len(facts.outputs) != 2:
        return None
    if any(0 < side < _SMALLEST_MAP for side in maps[0].shape[2:]):
        return None  # boxes of four numbers with an axis for the classes (YOLOv4), key points of two or three numbers each (RTMO)
    if not rows[0].shape[1] or rows[0].shape[1] != maps[0].shape[1] or maps[0].shape[1] == rows[0].shape[2]:
        return None
    return sentence(
        "{name} gives {count} masks and their classes apart ('{classes}', '{masks}'), as Mask2Former does, "
        "and nothing here puts them "
        "together; export it with one output of classes for each pixel, or choose another network.",
        name=facts.file_name,
        count=rows[0].shape[1],
        classes=rows[0].name,
        masks=maps[0].name,
    )
