"""A network."""

from __future__ import annotations

from typing import Final

from desktop.compute.filters.param import FileParam, ParamValue
from desktop.compute.models.builtin import builtin_models
from desktop.compute.task_ids import TASK_IDS
from desktop.wording import Text, sentence


class ModelParam(FileParam):
    """The name of a built-in network or the path of an `.onnx` file. Nothing in WGSL: what it computes is bound (`NetworkUse`)."""

    type = "model"
    editor = "model"
    noun = sentence("network")

    @property
    def expects(self) -> Text:
        """See Param."""
        return sentence("the name of a built-in network or the path of an .onnx or .tflite file")

    @property
    def fallback(self) -> str:
        """The first of its tasks in the box: a stage that is added does something at once."""
        return next((m.name for m in builtin_models().values() if m.task in self.tasks), "")

    def tasks_fit(self) -> bool:
        """See Param."""
        return bool(self.tasks) and set(self.tasks) <= set(TASK_IDS)

    def is_path(self, value: ParamValue) -> bool:
        """See FileParam."""
        return bool(value) and value not in builtin_models()

    def without_file(self, value: str) -> str:
        """The network's own name: its stage says that it is not there, where another one would run in its place."""
        return value


TYPE: Final = ModelParam
