"""A mask or classes of pixels. The filter Background uses one class, people by itself; Segmentation shows them all."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence
from desktop.compute.models.model_file import ModelFile
from desktop.compute.tasks.common.dense import PERSON, StageTask
from desktop.compute.tasks.common.maps import output_channels, words_of
from desktop.wording import sentence

_WORDS: Final = ("mask", "seg", "alpha", "matte", "logits")


class MaskTask(StageTask):
    """One channel that ends in a sigmoid or is called a mask; or two and more: classes of pixels."""

    id = "mask"
    title = sentence("Segmentation")
    summary = sentence("Segmentation: a mask or classes of pixels")
    order = 60
    usual_stage = "background"
    output = "mask"

    def recognise(self, facts: ModelFacts) -> Evidence | None:
        """See `Task`."""
        channels = output_channels(facts)
        named = facts.last_operator == "Sigmoid" or any(word in words_of(facts) for word in _WORDS)
        return Evidence.OBSERVED if channels > 1 or (channels == 1 and named) else None

    def stage(self, file: ModelFile) -> str:
        """See `Task`: of roads or organs a blurred background would show nothing.

        A network that gives the classes' numbers does not say how many there are: it is believed to have people (Pascal VOC, as DeepLab).
        """
        if self.is_stated(file) or file.statement.channel is not None:
            return self.usual_stage
        channels = output_channels(file.facts)
        return self.usual_stage if channels == 0 or channels in PERSON else "segmentation"


TASK: Final = MaskTask()
