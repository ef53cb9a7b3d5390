"""Tasks with prompts on an image: an encoder processes the image once, a decoder each prompt."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np

from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.mask_ring import MaskRing
from desktop.vision.tasks.common.prompts import Prompts
from desktop.vision.tasks.task import Features, FrameResult, Head, Loaded, Result, ResultTask, Size

if TYPE_CHECKING:
    import wgpu

Half = Literal["encoder", "decoder"]
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Embedded(FrameResult):
    """An image's embeddings, as arrays by the names of the encoder's outputs; and the image's size."""

    arrays: Arrays = field(repr=False)
    size: Size


class EmbeddingHead(Head):
    """Leaves an encoder's outputs in place; `fetch` brings them to the decoder."""

    def __init__(self, loaded: Loaded, task: str, notes: tuple[str, ...] = ()) -> None:
        self._loaded = loaded
        self.features, self.notes = Features(task), notes

    def fetch(self) -> dict[str, np.ndarray]:
        """Return the embeddings that were computed on the GPU last, read back; waits for it."""
        outputs = self._loaded.session.outputs
        return {info.name: _read_back(self._loaded, self._loaded.tensor(info.name)) for info in outputs}

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """See `Head`: nothing is reduced."""

    def decode(self, data: bytes | memoryview, size: Size) -> Embedded:
        return Embedded(arrays=self.fetch(), size=size)

    def read(self, outputs: Arrays, size: Size) -> Embedded:
        return Embedded(arrays=dict(outputs), size=size)

    def close(self) -> None:
        """See `Head`: there is nothing to release."""


def _read_back(loaded: Loaded, tensor: Tensor) -> np.ndarray:
    dtype = np.dtype(tensor.dtype)
    last = tensor.layout == "NHWC"
    stored = (tensor.shape[0], *tensor.shape[2:], tensor.padded_channels) if last else tensor.shape
    count = int(np.prod(stored))
    size = -(-count * dtype.itemsize // 4) * 4
    data = loaded.gpu.queue.read_buffer(tensor.buffer, tensor.offset, size)
    values = np.frombuffer(bytes(data), dtype)[:count].reshape(stored)
    return np.moveaxis(values[..., : tensor.shape[1]], -1, 1) if last else values


class DecoderForm(Protocol):
    """The inputs of a decoder, and the meaning of its outputs."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs that are read; the others need not be computed."""

    @property
    def sources(self) -> Mapping[str, str]:
        """The encoder's output for each embedding input."""

    @property
    def fewest_rows(self) -> int:
        """Positions of the simplest question."""

    @property
    def rows_differ(self) -> bool:
        """Whether questions of more points have more positions."""

    def rows(self, prompts: Prompts) -> int:
        """Return the number of prompt positions; raise ModelUnsupportedError if the decoder refuses them."""

    def shapes(self, rows: int) -> dict[str, tuple[int, ...]]:
        """Return the inputs' shapes for this number of positions."""

    def fixed(self) -> dict[str, np.ndarray]:
        """Return values of inputs that are the same for every question."""

    def feeds(
        self, prompts: Prompts, part: tuple[float, float], rows: int, embeddings: Arrays
    ) -> dict[str, np.ndarray]:
        """Return the decoder's other inputs; the image fills `part` of the encoder's longer side."""

    def mask_size(self, outputs: Sequence[TensorInfo]) -> Size:
        """Return (width, height) of a mask's texture; `outputs` with every dimension known."""

    def result(
        self, outputs: Arrays, prompts: Prompts, part: tuple[float, float], size: Size, ring: MaskRing
    ) -> Result:
        """Return the result for an image of a size (width, height); masks go into a layer of the ring."""


class PromptedTask(ResultTask):
    """A task whose networks are pairs of encoder and decoder: `head` returns an `EmbeddingHead`."""

    sidecar_keys: ClassVar[tuple[str, ...]] = ("encoder", "decoder")

    @abstractmethod
    def half(self, facts: ModelFacts) -> Half | None:
        """Return whether a network is an encoder or a decoder; None if neither."""

    @abstractmethod
    def find_other(self, file: ModelFile, half: Half) -> Path:
        """Return the other file of a pair, from its folder; raise ModelUnsupportedError if not clear."""

    def encoder(self, file: ModelFile) -> ModelFile:
        """Return an encoder's file as it is to be loaded."""
        return file

    @abstractmethod
    def decoder(self, file: ModelFile, encoder: str, given: Sequence[TensorInfo]) -> DecoderForm:
        """Return how a decoder takes an encoder's outputs, `given` with known dimensions.

        Raises ModelUnsupportedError for a decoder of another task or encoder.
        """

    @abstractmethod
    def nothing(self) -> Result:
        """Return the result of an image without prompts."""
