"""A picture out of a picture: styles, enhancement, super-resolution. The filter Style shows it."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence
from desktop.compute.tasks.common.dense import StageTask
from desktop.compute.tasks.common.maps import input_channels, output_channels
from desktop.wording import sentence


class ImageTask(StageTask):
    """Three channels, or one where the input has one."""

    id = "image"
    title = sentence("Style transfer")
    summary = sentence("Style transfer or enhancement: a new picture")
    order = 50
    usual_stage = "style"
    output = "image"

    def recognise(self, facts: ModelFacts) -> Evidence | None:
        """See `Task`."""
        channels = output_channels(facts)
        colored = channels == 3 and facts.last_operator not in ("Softmax", "ArgMax")
        return Evidence.OBSERVED if colored or (channels == 1 and input_channels(facts) == 1) else None


TASK: Final = ImageTask()
