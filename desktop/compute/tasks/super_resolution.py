"""A larger picture out of a picture: super-resolution. The filter Super-resolution shows it at its full size."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence
from desktop.compute.tasks.common.maps import enlargement
from desktop.compute.tasks.image import ImageTask
from desktop.wording import sentence


class SuperResolutionTask(ImageTask):
    """A network from picture to picture whose output has two or more pixels for one of its input, along each side."""

    id = "super_resolution"
    title = sentence("Super-resolution")
    summary = sentence("Super-resolution: a larger picture")
    order = 45
    usual_stage = "super_resolution"
    outputs = ("enlarged",)

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `Task`."""
        return super().recognize(facts) if enlargement(facts) > 1 else None


TASK: Final = SuperResolutionTask()
