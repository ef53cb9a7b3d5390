"""Name what an image shows: softmax and top-k of a network's scores, labels."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.frontends.formats import SCORE_NAMES
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.labels import Labels, choose_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.reduction import GpuReduction, first_element, packing_of
from desktop.vision.tasks.shapes import Label
from desktop.vision.tasks.task import (
    Features,
    Head,
    Integer,
    Loaded,
    Result,
    ResultTask,
    Setting,
    Size,
    Values,
)

if TYPE_CHECKING:
    import wgpu

MOST: Final = 10
_SHADER: Final = "topk.wgsl"
_ENTRY: Final = struct.Struct("<If")


@dataclass(frozen=True)
class Prediction:
    """One class: its index in the network's output, its name, and its probability in 0..1."""

    index: int
    label: str
    probability: float


@dataclass(frozen=True)
class Classification(Result):
    """A network's output for one frame: the most probable classes, best first."""

    predictions: tuple[Prediction, ...]

    def json(self) -> dict[str, Any]:
        """'top': index, label and probability of each class."""
        return {"top": [asdict(item) for item in self.predictions]}

    def lines(self) -> tuple[str, ...]:
        """Probability and name of each class."""
        return tuple(f"{item.probability:7.2%}  {item.label}" for item in self.predictions)

    def shapes(self) -> tuple[Label, ...]:
        """A word about the whole image for each class."""
        return tuple(Label(item.label, item.probability, item.index) for item in self.predictions)


class ClassificationTask(ResultTask):
    """One score a class."""

    id = "classification"
    title = sentence("Classification")
    summary = sentence("Classification: names what the image shows")
    icon = "task_classes"
    order = 10
    declared_as = ("classify",)
    names_classes = True
    has_input_settings = True
    command = "classify"
    command_help = "Classify images and videos."
    command_model = "classifier"
    takes_unknown = True
    finds = False
    places = False
    settings: ClassVar[tuple[Setting, ...]] = (
        Integer(
            name="top",
            min=1,
            max=MOST,
            default=5,
            label=sentence("Classes"),
            option="classes to print, 1 to 10",
            metavar="K",
            live=False,
            always_written=True,
        ),
    )

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: a row of scores, alone, with their names or as probabilities."""
        if facts.classes < 2 or any(_has_rows(output) for output in facts.outputs[1:]):
            return None
        if facts.softmax or SCORE_NAMES in facts.metadata:
            return Match(Evidence.OBSERVED, sentence("probabilities of {count} classes", count=facts.classes))
        if len(facts.outputs) > 1:
            return None
        return Match(Evidence.CUSTOMARY, sentence("one row of {count} numbers", count=facts.classes))

    def class_names(self, file: ModelFile, values: Values) -> tuple[str, ...]:
        """See `ResultTask`: as many names as the file has scores; ModelUnsupportedError for other outputs."""
        facts = file.facts
        if facts.classes < 2:
            if facts.outputs and all(facts.outputs[0].shape[1:]):
                inputs = (TensorInfo(facts.input_name, facts.input_shape, facts.input_dtype), *facts.others)
                class_count(inputs, facts.outputs, file.name)  # says what is wrong with them
            return super().class_names(file, values)
        return choose_labels(
            file.facts.classes,
            model=file.path,
            input_name=file.facts.input_name,
            metadata=file.facts.metadata,
        ).names

    def head(self, loaded: Loaded, values: Values) -> ClassificationHead:
        file = loaded.file
        session = loaded.session
        classes = class_count(session.inputs, session.outputs, file.name)
        labels = choose_labels(
            classes, model=file.path, input_name=file.facts.input_name, metadata=file.facts.metadata
        )
        assumption = file.remote.assumption if file.remote is not None else ""
        return ClassificationHead(
            loaded, labels, values["top"], logits=not file.facts.softmax, assumption=assumption
        )

    ranking_shader = _SHADER

    def class_count(self, inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo], name: str) -> int:
        """See `Ranks`."""
        return class_count(inputs, outputs, name)

    def ranking_plan(self, count: int, top: int, *, logits: bool) -> bytes:
        """See `Ranks`."""
        return top_k_plan(count, top, logits=logits)


def _has_rows(output: TensorInfo) -> bool:
    """True for a table of several rows, as in detectors; class scores have none."""
    return len(output.shape) in (2, 3) and output.shape[-2] > 1


TASK: Final = ClassificationTask()


def class_count(inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo], name: str) -> int:
    """Return a classifier's number of classes; raise ModelUnsupportedError if it has no row of scores."""
    if len(inputs) != 1:
        names = ", ".join(info.name for info in inputs)
        raise ModelUnsupportedError(
            sentence("{name} has the inputs {names}; an image classifier has one.", name=name, names=names)
        )
    shape = outputs[0].shape
    rest = [size for size in shape[1:] if size != 1] if len(shape) > 1 else list(shape)
    if len(rest) != 1 or shape[0] not in (1, rest[0]):
        raise ModelUnsupportedError(
            sentence(
                "{name} is not a classifier: its output '{output}' has the shape {shape}, where one score a "
                "class is expected; choose a classification network.",
                name=name,
                output=outputs[0].name,
                shape=list(shape),
            ),
            (f"output shape {list(shape)}",),
        )
    return rest[0]


class ClassificationHead(Head):
    """Top-k of the first output, through softmax if they are `logits`."""

    def __init__(
        self, loaded: Loaded, labels: Labels, top: int, *, logits: bool, assumption: str = ""
    ) -> None:
        """Compile for the session; raise ModelUnsupportedError if the GPU lacks the scores' type."""
        self.labels, self.top, self.logits = labels, top, logits
        self.features = Features(TASK.id, labels.names)
        notes = [assumption] if assumption else []
        if logits:
            notes.append(sentence("The network ends in logits; softmax makes probabilities of them."))
        self.notes = (*notes, sentence("Labels: {origin}.", origin=labels.origin))
        self._output = loaded.session.outputs[0].name
        self._topk: GpuTopK | None = None
        if loaded.on_gpu:
            self._topk = GpuTopK(loaded.gpu, loaded.tensor(self._output), top, logits=logits)
            self.result_buffer, self.result_bytes = self._topk.result, self._topk.result_bytes  # at most 80

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        assert self._topk is not None
        self._topk.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> Classification:
        return self._named(self._topk.decode(data) if self._topk else [])

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> Classification:
        return self._named(top_k(outputs[self._output], self.top, logits=self.logits))

    def _named(self, pairs: Sequence[tuple[int, float]]) -> Classification:
        return Classification(tuple(Prediction(index, self.labels[index], p) for index, p in pairs))

    def close(self) -> None:
        """Release its buffers."""
        if self._topk is not None:
            self._topk.close()


def top_k(scores: np.ndarray, k: int, *, logits: bool) -> list[tuple[int, float]]:
    """Return the `k` greatest as (index, probability), equals by index, NaN last; softmax of `logits`."""
    values = np.nan_to_num(np.ravel(scores).astype(np.float64), nan=-3.4e38, posinf=3.4e38, neginf=-3.4e38)
    order = np.argsort(-values, kind="stable")[:k]
    if logits:
        values = np.exp(values - values.max())
        values /= values.sum()
    return [(int(i), float(values[i])) for i in order]


def top_k_plan(count: int, k: int, first: int = 0, *, logits: bool) -> bytes:
    """Return the uniform of `shaders/nn_tasks/topk.wgsl`; `first`: the first score in its buffer."""
    return struct.pack("<4I", count, k, first, int(logits))


class GpuTopK(GpuReduction):
    """Softmax and top-k on the GPU: n scores become k x (u32 index, f32 probability), sorted as `top_k`."""

    def __init__(self, gpu: Gpu, scores: Tensor, k: int, *, logits: bool) -> None:
        """Compile it for contiguous float32 or float16 scores, with softmax if `logits`.

        Raises UsageError if k is not 1 to 10, ModelUnsupportedError for scores of another type.
        """
        packing_of((scores,))
        count = math.prod(scores.shape)
        self.k = min(TASK.checked({"top": k})["top"], count)
        plan = top_k_plan(count, self.k, first_element(scores), logits=logits)
        super().__init__(gpu, _SHADER, plan, (scores,), self.k * _ENTRY.size)

    def decode(self, data: bytes | memoryview) -> list[tuple[int, float]]:
        """Return the (index, probability) pairs in what was copied from `result`."""
        return [(index, p) for index, p in _ENTRY.iter_unpack(bytes(data)[: self.result_bytes])]
