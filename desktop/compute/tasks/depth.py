"""How far things are: a map of one value a pixel. The filter Depth shows it, or blurs what is out of focus."""

from __future__ import annotations

from typing import Final

from desktop.compute.models.facts import ModelFacts
from desktop.compute.models.findings import Evidence
from desktop.compute.tasks.common.dense import StageTask
from desktop.compute.tasks.common.maps import output_channels, words_of
from desktop.wording import sentence

_WORDS: Final = ("depth", "disp")


class DepthTask(StageTask):
    """A map that is called so; or one channel of any range that nothing else claims."""

    id = "depth"
    title = sentence("Depth estimation")
    summary = sentence("Depth estimation: how far things are")
    order = 70
    usual_stage = "depth"
    output = "map"

    def recognise(self, facts: ModelFacts) -> Evidence | None:
        """See `Task`."""
        channels = output_channels(facts)
        if channels and any(word in words_of(facts) for word in _WORDS):
            return Evidence.DECLARED
        return Evidence.ASSUMED if channels == 1 else None


TASK: Final = DepthTask()
