"""Super-resolution: networks that enlarge an image, shown at full size by the filter Super-resolution."""

from __future__ import annotations

from typing import Final

from desktop.base.wording import sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.maps import enlargement
from desktop.vision.tasks.image import ImageTask


class SuperResolutionTask(ImageTask):
    """A network from image to image with two or more output pixels for each input pixel along each side."""

    id = "super_resolution"
    title = sentence("Super-resolution")
    summary = sentence("Super-resolution: a larger image")
    icon = "task_image"
    order = 45
    usual_stage = "super_resolution"
    outputs = ("enlarged",)

    def recognize(self, facts: ModelFacts) -> Match | None:
        factor = enlargement(facts)
        if factor < 2 or super().recognize(facts) is None:
            return None
        return Match(
            Evidence.DECLARED, sentence("an image comes out that is {factor} times as large", factor=factor)
        )


TASK: Final = SuperResolutionTask()
