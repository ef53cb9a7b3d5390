"""A network."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

from desktop.base.files import exists
from desktop.base.wording import Text, sentence
from desktop.media.sources.file_kinds import is_pipeline
from desktop.net.inference.address import is_remote
from desktop.pipeline.filters.param import FileParam, ParamValue
from desktop.vision.models.builtin import builtin_models
from desktop.vision.task_ids import TASK_IDS

NetworkKind = Literal["network", "pipeline"]
"""One network (bundled, a file, on a server), or several in a folder, as diffusers and Optimum export it."""


class ModelParam(FileParam):
    """Name of a built-in network or path of an `.onnx` file. WGSL reads only its output (`NetworkUse`)."""

    type = "model"
    editor = "model"
    noun = sentence("network")

    @property
    def expects(self) -> Text:
        return sentence("the name of a built-in network or the path of an .onnx or .tflite file")

    @property
    def fallback(self) -> str:
        """The first bundled network for its tasks, so that an added stage has an effect at once."""
        return next((m.name for m in builtin_models().values() if m.task in self.tasks), "")

    def tasks_fit(self) -> bool:
        return bool(self.tasks) and set(self.tasks) <= set(TASK_IDS)

    def is_path(self, value: ParamValue) -> bool:
        return bool(value) and value not in builtin_models()

    def without_file(self, value: str) -> str:
        """Return the network's own name: its stage reports that it is missing, instead of running another."""
        return value

    @property
    def conditions(self) -> tuple[NetworkKind, ...]:
        """The kinds of a network: its names cannot be counted."""
        return "network", "pipeline"

    def condition(self, value: ParamValue) -> NetworkKind:
        """Return the chosen network's kind, reading the disk for a path. A missing one is a 'network'."""
        return "pipeline" if self.is_path(value) and is_pipeline(str(value)) else "network"

    def is_known(self, value: ParamValue) -> bool:
        return not self.is_path(value) or is_remote(str(value)) or exists(Path(str(value)))

    def typed_condition(self, wanted: tuple[ParamValue, ...]) -> Text:
        if "pipeline" in wanted:
            return sentence("'{name}' is the folder of a pipeline (Stable Diffusion, say)", name=self.name)
        return sentence("'{name}' is one network", name=self.name)

    def checked_condition(self, value: Any) -> ParamValue:
        if value not in self.conditions:
            raise self.refused(value, self.expects_condition)
        return str(value)

    @property
    def expects_condition(self) -> Text:
        return sentence("one of {choices}", choices=", ".join(self.conditions))


TYPE: Final = ModelParam
