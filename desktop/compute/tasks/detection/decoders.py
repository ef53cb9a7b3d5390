"""All decoders, and which of them a network wants. A new decoder is a file beside this one and an entry here."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.tasks.detection import (
    blaze,
    detr,
    end_to_end,
    fastestdet,
    grids,
    rtdetr,
    ultraface,
    yolov5,
    yolov8,
    yolox,
    yunet,
)
from desktop.compute.tasks.detection.decoder import Decoder

# The more particular first: YOLOX's table is YOLOv5's with as many rows as its grids have cells.
DECODERS: Final[tuple[Decoder, ...]] = (
    blaze.PALM,
    blaze.SMALL_PALM,
    blaze.FACE,
    blaze.POSE,
    yunet.DECODER,
    ultraface.DECODER,
    fastestdet.DECODER,
    grids.DECODER,
    detr.DECODER,
    rtdetr.DECODER,
    rtdetr.TABLE,
    rtdetr.LIST,
    rtdetr.PIXELS,
    yolox.DECODER,
    yolox.DECODED,
    end_to_end.DECODER,
    yolov5.DECODER,
    yolov8.DECODER,
)


def find_decoder(facts: ModelFacts) -> Decoder | None:
    """Return the decoder for a network, by its outputs; None where none fits."""
    return next((decoder for decoder in DECODERS if decoder.matches(facts)), None)
