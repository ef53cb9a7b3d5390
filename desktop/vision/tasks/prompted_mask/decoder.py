"""Recognize inputs and outputs of decoders of the SAM family by name.

SAM, MobileSAM, EdgeSAM, HQ-SAM, EfficientViT-SAM: point_coords [1, n, 2], point_labels [1, n], mask_input,
has_mask_input, orig_im_size. SAM 2: no size, but features of higher resolution. EfficientSAM:
batched_point_coords [1, 1, n, 2], batched_point_labels. transformers: input_points [1, 1, n, 2], integer
input_labels. Labels: 1 on the object, 0 outside, 2 and 3 a box's corners, -1 none. Positions are in pixels of
the square input frame, 16 for each cell of the embeddings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.tasks.common.maps import enlarged
from desktop.vision.tasks.common.mask_ring import MaskRing
from desktop.vision.tasks.common.prompts import Prompts
from desktop.vision.tasks.prompted_mask.result import PromptedMask, prompted_mask
from desktop.vision.tasks.task import Size

STRIDE: Final = 16
"""Pixels of the frame for one cell of the embeddings."""
_COORDS: Final = ("point_coords", "batched_point_coords", "input_points")
_LABELS: Final = ("point_labels", "batched_point_labels", "input_labels")
_MASK, _SIZE = "mask_input", "orig_im_size"
_MASK_INPUTS: Final = (_MASK, "has_mask_input", _SIZE)
_LOW_RESOLUTION: Final = "low_res_masks"
# The first of Segment Anything's four masks is for prompts of more than a point, as in its `select_masks`.
_SINGLE, _DOUBTFUL = 4, 2
_FINE: Final = {"high_res_feats_0", "high_res_feats_1"}
_LARGEST: Final = 1e4


@dataclass(frozen=True)
class SamDecoder:
    """Inputs and outputs of a decoder; a `DecoderForm`; 0 is a free dimension, '' for no scores.

    `coords` and `labels` are the inputs for positions and their kinds; `sources` the encoder's outputs for
    the embeddings, empty before `joined_to`.
    """

    inputs: tuple[TensorInfo, ...]
    coords: TensorInfo
    labels: TensorInfo
    embeddings: tuple[TensorInfo, ...]
    masks: str
    scores: str
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def outputs(self) -> tuple[str, ...]:
        """See `DecoderForm`."""
        return (self.masks, self.scores) if self.scores else (self.masks,)

    @property
    def frame(self) -> int:
        """Side in pixels of the square of the positions, which the masks cover."""
        return STRIDE * max(self.embeddings[0].shape[-2:])

    @property
    def fixed_points(self) -> int:
        """Number of points that the file requires; 0 if it is free."""
        return self.coords.shape[-2]

    @property
    def fewest_rows(self) -> int:
        """See `DecoderForm`: one point."""
        return self.fixed_points or 1 + int(self.pads)

    @property
    def rows_differ(self) -> bool:
        """See `DecoderForm`."""
        return not self.fixed_points

    @property
    def takes_boxes(self) -> bool:
        """True if the corners of a box are points with their own labels; not in exports of transformers."""
        return self.labels.name != "input_labels"

    @property
    def pads(self) -> bool:
        """True if a prompt without a box needs a final padding point; later exports add it themselves."""
        names = {info.name for info in self.inputs}
        return self.labels.name == "point_labels" and _SIZE in names and not _FINE & names

    def rows(self, prompts: Prompts) -> int:
        """See `DecoderForm`; raise ModelUnsupportedError if it takes not that many, or no boxes."""
        if prompts.box is not None and not self.takes_boxes:
            raise ModelUnsupportedError(
                sentence(
                    "This decoder takes points and no boxes; click on the object instead of dragging a box."
                )
            )
        count = len(prompts.points) + (2 if prompts.box is not None else int(self.pads))
        if self.fixed_points and count > self.fixed_points:
            raise ModelUnsupportedError(
                sentence(
                    "This decoder takes {most} positions at a time, and {count} are given; remove "
                    "points, or export it again with a free number of points.",
                    most=self.fixed_points,
                    count=count,
                )
            )
        return self.fixed_points or count

    def shapes(self, rows: int) -> dict[str, tuple[int, ...]]:
        """See `DecoderForm`."""

        def of(info: TensorInfo) -> tuple[int, ...]:
            shape = [size or 1 for size in info.shape]
            if info.name == self.coords.name:
                shape[-2:] = (rows, 2)
            elif info.name == self.labels.name:
                shape[-1] = rows
            elif info.name == _MASK:
                shape[-2:] = (self.frame // 4,) * 2
            return tuple(shape)

        return {info.name: of(info) for info in self.inputs}

    def fixed(self) -> dict[str, np.ndarray]:
        """See `DecoderForm`: the masks' size, which shapes hang on."""
        sizes = [info for info in self.inputs if info.name == _SIZE]
        return {info.name: np.full(2, self.mask_side, info.dtype) for info in sizes}

    @property
    def mask_side(self) -> int:
        """Image size for decoders with that input: a quarter, so that masks keep their computed size."""
        return self.frame // 4

    def feeds(
        self, prompts: Prompts, part: tuple[float, float], rows: int, embeddings: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        """See `DecoderForm`."""
        # EfficientSAM's decoder scales positions from the given size to the frame.
        side = self.mask_side if self.labels.name == "batched_point_labels" else self.frame
        corners = [] if prompts.box is None else [(*prompts.box[:2], 2), (*prompts.box[2:], 3)]
        asked = [*((p.x, p.y, int(p.inside)) for p in prompts.points), *corners]
        positions = np.zeros((rows, 2))
        labels = np.full(rows, -1.0)
        for number, (x, y, label) in enumerate(asked):
            positions[number] = x * part[0] * side, y * part[1] * side
            labels[number] = label
        given = {**embeddings, self.coords.name: positions, self.labels.name: labels}
        shapes, fixed = self.shapes(rows), self.fixed()
        return {
            info.name: np.ascontiguousarray(
                np.reshape(given.get(info.name, np.zeros(shapes[info.name])), shapes[info.name]), info.dtype
            )
            for info in self.inputs
            if info.name not in fixed
        }

    def result(
        self,
        outputs: Mapping[str, np.ndarray],
        prompts: Prompts,
        part: tuple[float, float],
        size: Size,
        ring: MaskRing,
    ) -> PromptedMask:
        """See `DecoderForm`: of several masks the one that is thought to be the best."""
        masks = outputs[self.masks]
        layers = masks.reshape(-1, *masks.shape[-2:])
        found = outputs[self.scores].reshape(-1) if self.scores else np.ones(len(layers))
        scores = np.nan_to_num(found.astype(np.float64), nan=0.0, posinf=1.0, neginf=0.0)[: len(layers)]
        best = _best(scores, self.rows(prompts))
        # NaN belongs to no mask.
        logits = np.nan_to_num(
            layers[best].astype(np.float32), nan=-_LARGEST, posinf=_LARGEST, neginf=-_LARGEST
        )
        logits = np.clip(logits, -_LARGEST, _LARGEST)
        if self._enlarges:
            logits = enlarged(logits, (self.frame, self.frame))
        return prompted_mask(logits, float(np.clip(scores[best], 0.0, 1.0)), part, prompts, size, ring)

    @property
    def _enlarges(self) -> bool:
        """True if masks are scaled to the frame first, as by networks that keep the image's aspect."""
        names = {info.name for info in self.inputs}
        return not _FINE & names and self.labels.name != "batched_point_labels"

    def mask_size(self, outputs: Sequence[TensorInfo]) -> Size:
        """See `DecoderForm`."""
        shape = next(info.shape for info in outputs if info.name == self.masks)
        return (self.frame, self.frame) if self._enlarges else (shape[-1], shape[-2])

    def joined_to(self, encoder: str, decoder: str, given: Sequence[TensorInfo]) -> SamDecoder:
        """Return it with its embeddings matched by name or shape; raise ModelUnsupportedError if unfit."""
        sources = {}
        for wanted in self.embeddings:
            source = _source(wanted, given)
            if source is None:
                raise ModelUnsupportedError(
                    sentence(
                        "{decoder} takes '{wanted}' {shape}, which {encoder} does not give (it gives "
                        "{given}); choose the decoder that was "
                        "exported with this encoder.",
                        decoder=decoder,
                        wanted=wanted.name,
                        shape=[size or "any" for size in wanted.shape],
                        encoder=encoder,
                        given=", ".join(f"'{info.name}' {list(info.shape)}" for info in given),
                    )
                )
            sources[wanted.name] = source
        known = {wanted: replace(source, name=wanted) for wanted, source in sources.items()}
        return replace(
            self,
            inputs=tuple(
                replace(info, shape=known[info.name].shape) if info.name in known else info
                for info in self.inputs
            ),
            embeddings=tuple(replace(info, shape=known[info.name].shape) for info in self.embeddings),
            sources={wanted: source.name for wanted, source in sources.items()},
        )


def _best(scores: np.ndarray, rows: int) -> int:
    if len(scores) != _SINGLE:
        return int(np.argmax(scores))
    return 0 if rows > _DOUBTFUL else 1 + int(np.argmax(scores[1:]))


def _source(wanted: TensorInfo, given: Sequence[TensorInfo]) -> TensorInfo | None:
    fitting = [info for info in given if _fits(wanted.shape, info.shape)]
    same = [info for info in fitting if info.name == wanted.name]
    alike = [info for info in fitting if is_embedding(info.name) and is_embedding(wanted.name)]
    return next(iter((*same, *alike, *(fitting if len(fitting) == 1 else ()))), None)


def _fits(wanted: Sequence[int], given: Sequence[int]) -> bool:
    return len(wanted) == len(given) and all(w in (0, g) for w, g in zip(wanted, given, strict=True))


def is_embedding(name: str) -> bool:
    """Return True for a name of embeddings: image_embeddings, image_embed, image_embedding."""
    return name.lower().startswith("image_embed")


def find_decoder(facts: ModelFacts) -> SamDecoder | None:
    """Return the form of a decoder; None for any other network."""
    inputs = (TensorInfo(facts.input_name, facts.input_shape, facts.input_dtype), *facts.others)
    coords, labels = _named(inputs, _COORDS), _named(inputs, _LABELS)
    known = {*_COORDS, *_LABELS, *_MASK_INPUTS}
    embeddings = sorted((i for i in inputs if i.name not in known), key=lambda i: not is_embedding(i.name))
    names = [info.name for info in facts.outputs]
    masks = next((n for n in (_LOW_RESOLUTION, *names) if n in names and "mask" in n.lower()), "")
    if coords is None or labels is None or not embeddings or not masks:
        return None
    if len(coords.shape) not in (3, 4) or coords.shape[-1] not in (0, 2) or len(embeddings[0].shape) != 4:
        return None
    scores = next((name for name in names if "iou" in name.lower()), "")
    return SamDecoder(inputs, coords, labels, tuple(embeddings), masks, scores)


def _named(infos: Iterable[TensorInfo], names: Sequence[str]) -> TensorInfo | None:
    return next((info for info in infos if info.name in names), None)
