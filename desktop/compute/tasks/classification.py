"""Name what a picture shows: softmax and top-k of a network's scores, labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from desktop.compute.backends.loader import load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.findings import sentence_of
from desktop.compute.models.model_file import Model, ModelFile
from desktop.compute.models.preprocess import choose_preprocess
from desktop.compute.nn.session import Precision, Session, recordable
from desktop.compute.running.picture_network import PictureNetwork, Reading, Size
from desktop.compute.tasks.gpu_topk import MOST, GpuTopK
from desktop.compute.tasks.labels import Labels, choose_labels
from desktop.errors import LightloomError, ModelUnsupportedError, UsageError
from desktop.wording import sentence


@dataclass(frozen=True)
class Prediction:
    """One class: its index in the network's output, its name, and its probability in 0..1."""

    index: int
    label: str
    probability: float


@dataclass(frozen=True)
class Classification(Reading):
    """What a network said of one frame: the most probable classes, best first."""

    predictions: tuple[Prediction, ...]


def top_k(scores: np.ndarray, k: int, *, logits: bool) -> list[tuple[int, float]]:
    """Return the `k` greatest as (index, probability), best first, equals by lower index; softmax first if `logits`.

    A score that is not a number counts as the least, as in `shaders/nn_tasks/topk.wgsl`.
    """
    values = np.nan_to_num(np.ravel(scores).astype(np.float64), nan=-3.4e38, posinf=3.4e38, neginf=-3.4e38)
    order = np.argsort(-values, kind="stable")[:k]
    if logits:
        values = np.exp(values - values.max())
        values /= values.sum()
    return [(int(i), float(values[i])) for i in order]


class ClassificationHead:
    """Top-k of the first output; a `TaskHead`.

    Attributes:
        labels: names of the classes.
        top: how many classes are kept.
        logits: True where softmax makes probabilities of the scores.
    """

    def __init__(self, gpu: Gpu, session: Session, labels: Labels, top: int, *, logits: bool) -> None:
        """Compile what the session's backend needs.

        Raises:
            UsageError: `top` is not 1 to 10.
            ModelUnsupportedError: the scores are of a type that the GPU path does not take.
        """
        if not 1 <= top <= MOST:
            raise UsageError(
                sentence("The number of classes to show is {top}; give 1 to {most}.", top=top, most=MOST)
            )
        self.labels = labels
        self.top = top
        self.logits = logits
        self._output = session.outputs[0].name
        self._topk: GpuTopK | None = None
        recorded = recordable(session)
        if recorded is not None:
            self._topk = GpuTopK(gpu, recorded.tensor(self._output), top, logits=logits)

    @property
    def result_buffer(self) -> Any:
        """See `TaskHead`."""
        return self._topk.result if self._topk else None

    @property
    def result_bytes(self) -> int:
        """At most 80."""
        return self._topk.result_bytes if self._topk else 0

    def encode(self, compute_pass: Any) -> None:
        """See `TaskHead`."""
        assert self._topk is not None
        self._topk.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> Classification:
        """See `TaskHead`."""
        return self._named(self._topk.decode(data) if self._topk else [])

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> Classification:
        """See `TaskHead`."""
        return self._named(top_k(outputs[self._output], self.top, logits=self.logits))

    def _named(self, pairs: list[tuple[int, float]]) -> Classification:
        return Classification(tuple(Prediction(index, self.labels[index], p) for index, p in pairs))

    def close(self) -> None:
        """Release its buffers."""
        if self._topk is not None:
            self._topk.close()


def load_classifier(
    gpu: Gpu,
    model: Model,
    *,
    backend: str = "auto",
    precision: Precision = "auto",
    top: int = 5,
    preset: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> PictureNetwork:
    """Load a network that names pictures, infer its preprocessing, find its labels. Its readings are `Classification`s.

    Args:
        gpu: the device, which prepares the pictures whatever the backend.
        model: an ONNX file, by its path or open.
        backend: see `load_session`.
        precision: see `load_session`.
        top: how many classes to keep, 1 to 10.
        preset: preprocessing fields that override what is inferred and the sidecar.
        threads: threads of onnxruntime.

    Raises:
        ModelInvalidError: not a readable ONNX model, or a file beside it is broken.
        ModelUnsupportedError: not a classifier of one picture, or no backend takes it.
        UsageError: a preset value that its field or the network does not take.
    """
    with ModelFile.opened(model) as file:
        path, facts = file.path, file.facts
        preprocess, findings = choose_preprocess(path, facts, preset)
        shapes = {facts.input_name: preprocess.shape} if 0 in facts.input_shape else None
        loaded = load_session(
            file, gpu=gpu, backend=backend, precision=precision, threads=threads, input_shapes=shapes
        )
    try:
        labels = choose_labels(_classes(loaded.session, path), model=path, metadata=facts.metadata)
        notes = [sentence_of(finding) for finding in findings]
        if not facts.softmax:
            notes.append(sentence("The network ends in logits; softmax makes probabilities of them."))
        notes.append(sentence("Labels: {origin}.", origin=labels.origin))
        head = ClassificationHead(gpu, loaded.session, labels, top, logits=not facts.softmax)
        return PictureNetwork(gpu, loaded, preprocess, facts, head, tuple(notes))
    except LightloomError:
        loaded.session.close()
        raise


def _classes(session: Session, path: Path) -> int:
    if len(session.inputs) != 1:
        names = ", ".join(info.name for info in session.inputs)
        raise ModelUnsupportedError(
            sentence(
                "{name} has the inputs {names}; a classifier of pictures has one.",
                name=path.name,
                names=names,
            )
        )
    shape = session.outputs[0].shape
    rest = [size for size in shape[1:] if size != 1] if len(shape) > 1 else list(shape)
    if len(rest) != 1 or shape[0] not in (1, rest[0]):
        raise ModelUnsupportedError(
            sentence(
                "{name} is not a classifier: its output '{output}' has the shape {shape}, where one score a "
                "class is expected; choose a classification network.",
                name=path.name,
                output=session.outputs[0].name,
                shape=list(shape),
            ),
            (f"output shape {list(shape)}",),
        )
    return rest[0]
