"""Similarity to reference images: the cosine between a network's embeddings of them and of the input.

Such as CLIP's image tower (arXiv:2103.00020), ArcFace (arXiv:1801.07698), DINOv2 (arXiv:2304.07193), or a
classifier without its last layer.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.models.labels import metadata_labels
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.reduction import GpuReduction, first_element, packing_of
from desktop.vision.tasks.shapes import Label
from desktop.vision.tasks.task import (
    Features,
    Files,
    Loaded,
    ReducingHead,
    Result,
    ResultTask,
    Setting,
    Size,
    Values,
)

MOST: Final = 16
# Exporters' names of embeddings: optimum, open_clip, InsightFace, torchvision's feature extractors, TF Hub.
_NAMES: Final = frozenset(
    {
        *("embedding", "embeddings", "image_embedding", "image_embeddings", "image_embeds", "image_features"),
        *("feature", "features", "feature_vector", "pooler_output", "pooled_output", "sentence_embedding"),
    }
)
# Fewer numbers are scores, offsets or angles.
_LEAST: Final = 16
_NORMALIZATIONS: Final = frozenset({"LpNormalization"})
_POOLS: Final = frozenset({"GlobalAveragePool", "GlobalMaxPool", "ReduceMean"})
# Of networks without their last layer. Widths are multiples of 64, except 256, a common number of classes.
_WIDTHS: Final = range(320, 4097, 64)
_CLIP_MEAN: Final = (0.48145466, 0.4578275, 0.40821073)
_CLIP_STD: Final = (0.26862954, 0.26130258, 0.27577711)
_SHADER: Final = "likeness.wgsl"


@dataclass(frozen=True)
class Alike:
    """The input's similarity to one image: a cosine, -1 to 1; 0 if one of the vectors has no direction."""

    picture: str
    name: str
    cosine: float


@dataclass(frozen=True)
class SimilarityResult(Result):
    """A network's result for one frame: the similarity to each image, in the given order."""

    found: tuple[Alike, ...]

    def json(self) -> dict[str, Any]:
        """Return `'likeness'`: the `'picture'`, 'name' and 'cosine' of each, in the given order."""
        return {"likeness": [asdict(each) for each in self.found]}

    def lines(self) -> tuple[str, ...]:
        """Cosine and name of each, the most alike first."""
        if not self.found:
            return ("no image to compare with; give one with --likeness",)
        return tuple(f"{each.cosine:7.4f}  {each.name}" for each in self._best)

    def shapes(self) -> tuple[Label, ...]:
        """A word about the whole image for each, the most alike first."""
        numbers = {id(each): number for number, each in enumerate(self.found)}
        return tuple(Label(each.name, each.cosine, numbers[id(each)]) for each in self._best)

    @property
    def hint(self) -> str:
        """Advice if there are no images to compare with."""
        return "" if self.found else sentence("Choose images to compare with.")

    @property
    def _best(self) -> list[Alike]:
        return sorted(self.found, key=lambda each: -each.cosine)


class SimilarityTask(ResultTask):
    """One vector of features an image."""

    id = "likeness"
    title = sentence("Similarity")
    summary = sentence("Similarity: how similar the image and others are")
    icon = "task_classes"
    order = 8
    declared_as = ("embed", "embedding", "feature-extraction", "image-feature-extraction")
    command = "match"
    command_help = "Compute how similar images and videos are to other images."
    finds = False
    settings: ClassVar[tuple[Setting, ...]] = (
        Files(
            name="likeness",
            kind="image",
            most=MOST,
            label=sentence("Compare with"),
            help=sentence("Images for the comparison, 16 at most."),
            option="images to compare with, 16 at most",
            metavar="PICTURE",
            live=False,
        ),
    )

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: a vector named as a feature, normalized to length 1, or directly from the pooling."""
        if metadata_labels(facts.metadata) is not None or facts.softmax:
            return None
        if any(_is_named(output) for output in facts.outputs):
            return Match(Evidence.DECLARED, sentence("an output with the name of a feature"))
        if len(facts.outputs) != 1 or not _is_vector(facts.outputs[0].shape):
            return None
        scaled = facts.last_operator in _NORMALIZATIONS or (
            facts.last_operator == "Div" and "ReduceL2" in facts.operators
        )
        pooled = facts.last_operator in _POOLS and facts.classes in _WIDTHS
        if not (scaled or pooled):
            return None
        return Match(Evidence.OBSERVED, sentence("a vector that is normalized, or comes from the pooling"))

    def family(self, file: ModelFile, values: Values) -> tuple[str, Values] | None:
        """See `ResultTask`: CLIP's image tower by its output's name, face networks by 112 x 112 pixels."""
        facts = file.facts
        if any(output.name == "image_embeds" for output in facts.outputs):
            usual = {"colors": "RGB", "scale": "0..1", "mean": _CLIP_MEAN, "std": _CLIP_STD}
            return "CLIP", {
                **usual,
                **{"resize": "crop", "crop": 1.0, "interpolation": "bicubic", "width": 224, "height": 224},
            }
        if facts.input_shape[2:] == (112, 112) or facts.input_shape[1:3] == (112, 112):
            none = {"mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 1.0)}
            return "ArcFace", {"colors": "RGB", "scale": "-1..1", **none, "resize": "stretch"}
        return None

    def head(self, loaded: Loaded, values: Values) -> SimilarityHead:
        """See `ResultTask`. The network is run on each image first."""
        return SimilarityHead(loaded, values["likeness"])


TASK: Final = SimilarityTask()


def _is_vector(shape: Sequence[int]) -> bool:
    """Return True for one vector an image: only one dimension after the batch is not 1, and it is known."""
    rest = [size for size in shape[1:] if size != 1]
    return len(shape) > 1 and shape[0] in (0, 1) and len(rest) == 1 and rest[0] >= _LEAST


def _is_named(output: TensorInfo) -> bool:
    named = output.name.rpartition("/")[2].partition(":")[0].lower() in _NAMES
    return named and (
        _is_vector(output.shape) or output.shape in ((0, 0), (1, 0))
    )  # an export may not say how long it is


def unit(vector: np.ndarray) -> np.ndarray:
    """Return the vector as float64 of length 1; all 0 if it has no length, or is not finite."""
    numbers = np.ravel(vector).astype(np.float64)
    with np.errstate(all="ignore"):
        scale = np.abs(numbers).max(initial=0.0)
        if not math.isfinite(scale) or scale == 0.0:
            return np.zeros_like(numbers)
        numbers = numbers / scale  # squares of very long or short vectors overflow or vanish
        return np.asarray(numbers / np.linalg.norm(numbers))


class SimilarityHead(ReducingHead):
    """Cosines of a vector with those of the user's images, float64 (images, numbers), of length 1."""

    def __init__(self, loaded: Loaded, pictures: Sequence[str]) -> None:
        """Run the network on the images, and compile what the session's backend needs.

        Raises ModelUnsupportedError without a vector for the GPU, SourceError for an unreadable image.
        """
        info = _choose_output(loaded)
        self._output = info.name
        self.pictures = tuple(pictures)
        self._names = _names(self.pictures)
        vectors = [unit(loaded.outputs_of(Path(picture))[self._output]) for picture in self.pictures]
        self.references = np.array(vectors).reshape(len(vectors), math.prod(info.shape))
        self.features = Features(TASK.id)
        self.notes = (
            sentence(
                "The output '{output}' is compared, {count} numbers.",
                output=info.name,
                count=math.prod(info.shape),
            ),
        )
        self._gpu: GpuSimilarity | None = None
        if loaded.on_gpu:
            self._gpu = GpuSimilarity(loaded.gpu, loaded.tensor(self._output), self.references)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes  # at most 64

    def decode(self, data: bytes | memoryview, size: Size) -> SimilarityResult:
        return self._named(np.frombuffer(bytes(data), np.float32)[: len(self.pictures)])

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> SimilarityResult:
        return self._named(self.references @ unit(outputs[self._output]))

    def _named(self, cosines: np.ndarray) -> SimilarityResult:
        each = zip(self.pictures, self._names, cosines, strict=True)
        return SimilarityResult(
            tuple(Alike(path, name, max(-1.0, min(1.0, float(c)))) for path, name, c in each)
        )


class GpuSimilarity:
    """Cosines on the GPU: one workgroup computes a float32 for each reference."""

    def __init__(self, gpu: Gpu, vector: Tensor, references: np.ndarray) -> None:
        """Compile it for float32 or float16, contiguous or each number `padded_channels` apart.

        `references` are (count, numbers), of length 1 or 0. Raises ModelUnsupportedError for other vectors.
        """
        count, numbers = len(references), math.prod(vector.shape)
        packing_of((vector,))
        # In the type of the vector: of numbers of length 1, float16 moves a cosine by at most 2 ** -11.
        packed = np.zeros((max(count, 1), numbers), vector.dtype)
        packed[:count] = references
        data = packed.tobytes()
        self._references = gpu.device.create_buffer_with_data(
            data=data + bytes(-len(data) % 4), usage=wgpu.BufferUsage.STORAGE, label="similarity references"
        )
        tensor = Tensor(self._references, packed.shape, vector.dtype)
        plan = struct.pack("<4I", numbers, first_element(vector), _stride(vector), 0)
        self._reduction = GpuReduction(
            gpu, _SHADER, plan, (vector, tensor), max(count, 1) * 4, groups=max(count, 1)
        )
        self.result, self.result_bytes = self._reduction.result, self._reduction.result_bytes

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatch into an open compute pass."""
        self._reduction.encode(compute_pass)

    def close(self) -> None:
        """Release the buffers that it made."""
        self._reduction.close()
        self._references.destroy()


def _stride(vector: Tensor) -> int:
    """Return the stride of the vector's numbers: the padded channels if it lies along an image axis."""
    if vector.layout == "NHWC" and vector.shape[1] == 1:
        return max(vector.padded_channels, 1)
    return 1


def _names(pictures: Sequence[str]) -> tuple[str, ...]:
    """Return the images' names: their files' stems, with the folder for equal stems."""
    stems = [Path(picture).stem for picture in pictures]
    return tuple(
        printable(stem if stems.count(stem) == 1 else f"{Path(picture).parent.name}/{Path(picture).name}")
        for picture, stem in zip(pictures, stems, strict=True)
    )


def _choose_output(loaded: Loaded) -> TensorInfo:
    outputs = loaded.session.outputs
    vectors = [output for output in outputs if _is_vector(output.shape)]
    named = [output for output in vectors if _is_named(output)]
    if not vectors:
        shapes = ", ".join(f"'{info.name}' {list(info.shape)}" for info in outputs)
        raise ModelUnsupportedError(
            sentence(
                "{name} gives no vector of features: its outputs are {shapes}, where [1, numbers] is "
                "expected; choose "
                "another network.",
                name=loaded.file.name,
                shapes=shapes,
            ),
            (f"outputs {shapes}",),
        )
    return (named or vectors)[0]
