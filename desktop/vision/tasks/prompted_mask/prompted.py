"""Click to segment: masks of objects at prompts, by an encoder and a decoder of the SAM family.

As in Segment Anything's predictor (Kirillov et al., 2023): the image's longer side fills the input from the
upper left; ImageNet's mean and deviation; zeros around it. SAM 2 and EfficientSAM stretch the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Finding, Match, unsettled
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    Preprocess,
    SourceBox,
    choose_preprocess,
)
from desktop.vision.models.trimming import with_pixels
from desktop.vision.tasks.common.prompted import EmbeddingHead, Half, PromptedTask
from desktop.vision.tasks.prompted_mask.decoder import STRIDE, SamDecoder, find_decoder, is_embedding
from desktop.vision.tasks.prompted_mask.encoder_decoder import find_other, half_of, takes_pixels
from desktop.vision.tasks.prompted_mask.result import PromptedMask
from desktop.vision.tasks.task import Loaded, Values

_USUAL_SIDE: Final = 1024
_PIXELS: Final = "pixels less mean"
_MEAN_OF_PIXELS: Final = tuple(255 * value for value in IMAGENET_MEAN)
_FREE_INPUT: Final = "batched_images"
_FINE: Final = "high_res_feats"


@dataclass(frozen=True)
class CornerInput(Preprocess):
    """The whole image at the input's upper left, with zeros of the tensor around it (Segment Anything)."""

    @property
    def surroundings(self) -> float:
        """Two below zero: the tensor is zero there."""
        return -2.0

    def box(self, width: int, height: int) -> SourceBox:
        """Return the whole image; sides are rounded half up, as in Segment Anything's `ResizeLongestSide`."""
        if self.resize == "stretch":
            return super().box(width, height)
        scale = min(self.width / width, self.height / height)
        w, h = (max(1, int(side * scale + 0.5)) for side in (width, height))
        return SourceBox(0.0, 0.0, width, height, 0, 0, min(w, self.width), min(h, self.height))


class PromptedMaskTask(PromptedTask):
    """An encoder of images to embeddings, and its decoder."""

    id = "prompted_mask"
    title = sentence("Click to segment")
    summary = sentence("Click to segment: the pixels of what is pointed at")
    icon = "task_mask"
    page = "click-to-segment.md"
    order = 5

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: by the name of its output."""
        if half_of(facts) != "encoder":
            return None
        return Match(Evidence.DECLARED, sentence("an output with the name of an image's embedding"))

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values]:
        usual: dict[str, Any] = {"colors": "RGB", "scale": "0..1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD}
        facts = file.facts
        cells = next(
            (max(i.shape[-2:]) for i in facts.outputs if is_embedding(i.name) and len(i.shape) == 4), 0
        )
        side = STRIDE * cells or _USUAL_SIDE
        size = {"width": side, "height": side}
        if facts.input_name == _FREE_INPUT:  # it stretches the image and normalizes it itself
            plain = {"mean": (0.0,) * 3, "std": (1.0,) * 3}
            return "EfficientSAM", {**usual, **plain, **size, "resize": "stretch"}
        if any(_FINE in info.name for info in facts.outputs):
            return "SAM 2", {**usual, **size, "resize": "stretch"}
        return "Segment Anything", {**usual, **size, "resize": "letterbox"}

    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        plan, findings = choose_preprocess(
            file.path, file.facts, preset, self.family(file, values), served=file.served
        )
        if file.facts.input_name == _PIXELS:
            plan = replace(plan, scale="0..255", mean=_MEAN_OF_PIXELS, std=(1.0,) * 3)
            findings = unsettled(findings, ("scale", "mean", "std"))
        return CornerInput(**{each.name: getattr(plan, each.name) for each in fields(plan)}), findings

    def head(self, loaded: Loaded, values: Values) -> EmbeddingHead:
        note = sentence("The encoder runs once for an image, the decoder for each click.")
        return EmbeddingHead(loaded, self.id, (note,))

    def half(self, facts: ModelFacts) -> Half | None:
        return half_of(facts)

    def find_other(self, file: ModelFile, half: Half) -> Path:
        return find_other(file, half)

    def encoder(self, file: ModelFile) -> ModelFile:
        """See `PromptedTask`; pixel inputs are padded with the mean, which the network normalizes to 0."""
        return with_pixels(file, _PIXELS, _MEAN_OF_PIXELS) if takes_pixels(file.facts) else file

    def decoder(self, file: ModelFile, encoder: str, given: Sequence[TensorInfo]) -> SamDecoder:
        found = find_decoder(file.facts)
        if found is None:
            raise ModelUnsupportedError(
                sentence(
                    "{name} is no decoder of the SAM family: it has no inputs for points and embeddings "
                    "and no output for masks; choose "
                    "the decoder that was exported with {encoder}.",
                    name=file.name,
                    encoder=encoder,
                )
            )
        return found.joined_to(encoder, file.name, given)

    def nothing(self) -> PromptedMask:
        return PromptedMask()


TASK: Final = PromptedMaskTask()
