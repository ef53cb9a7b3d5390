"""Families of networks that cut objects out of an image: their preprocessing and distinguishing marks.

From the authors' code: U^2-Net (arXiv:2005.09007; the image's greatest value is taken to be 255), IS-Net
(arXiv:2203.03041) with RMBG-1.4, BiRefNet (arXiv:2401.03407) with RMBG-2.0, MODNet (arXiv:2011.11961),
PaddleSeg's PP-HumanSeg.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.preprocess import IMAGENET_MEAN, IMAGENET_STD
from desktop.vision.tasks.common.maps import input_size, output_channels

Vector = tuple[float, float, float]

_LARGE: Final = (1024, 1024)
"""The input of IS-Net, BiRefNet and their derivatives."""


@dataclass(frozen=True)
class MaskFamily:
    """A family of networks that give a mask.

    Attributes:
        mean, std: of R'G'B' in 0..1.
        modules: names of modules, all of which its networks have.
        names: prefixes of file names or words in them; evidence for preprocessing, never for the task.
        fits: whether a graph without names belongs to it, by its operators and outputs.
        channels: of the mask.
        has_logits: its networks end without a sigmoid, though some exports add one.
    """

    title: str
    mean: Vector
    std: Vector
    modules: Collection[str] = ()
    names: Collection[str] = ()
    fits: Callable[[ModelFacts], bool] = lambda facts: False
    channels: int = 1
    has_logits: bool = False

    def has_modules(self, facts: ModelFacts) -> bool:
        """Return True if a network belongs to this family by its modules' names."""
        return bool(self.modules) and set(self.modules) <= facts.modules

    def has_name(self, facts: ModelFacts) -> bool:
        """Return True if a network belongs to this family by its file's name."""
        name = facts.file_name.lower()
        return any(re.search(rf"(?<![a-z0-9]){re.escape(begin)}", name) for begin in self.names)


def _maps(facts: ModelFacts) -> int:
    """Return the number of outputs that are masks of one size: the mask and its side branches."""
    first = facts.outputs[0].shape if facts.outputs else ()
    return sum(output.shape == first for output in facts.outputs)


def _has_attention(facts: ModelFacts) -> bool:
    return {"Softmax", "MatMul"} <= facts.operators


def _large_sigmoid(facts: ModelFacts) -> bool:
    return input_size(facts) == _LARGE and facts.last_operator == "Sigmoid"


def _is_isnet(facts: ModelFacts) -> bool:
    side_masks = facts.last_operator == "Sigmoid" and _maps(facts) == 6
    return side_masks or (_large_sigmoid(facts) and not _has_attention(facts))


def _is_birefnet(facts: ModelFacts) -> bool:
    named = (facts.input_name, facts.output_name)
    usual = named in (("input_image", "output_image"), ("pixel_values", "alphas")) and not _is_isnet(facts)
    return usual or (_large_sigmoid(facts) and _has_attention(facts))


_HALF: Final = (0.5, 0.5, 0.5)
_FAMILIES: Final = (
    MaskFamily(
        title="U2-Net",
        mean=IMAGENET_MEAN,
        std=IMAGENET_STD,
        modules=("outconv", "side1"),
        names=("u2net", "u2-net", "u2_net", "silueta"),
        fits=lambda facts: facts.last_operator == "Sigmoid" and _maps(facts) == 7,
    ),
    MaskFamily(
        title="MODNet",
        mean=_HALF,
        std=_HALF,
        modules=("lr_branch", "hr_branch"),
        names=("modnet",),
        fits=lambda facts: facts.last_operator == "Sigmoid" and "InstanceNormalization" in facts.operators,
    ),
    MaskFamily(
        title="BiRefNet (RMBG-2.0)",
        mean=IMAGENET_MEAN,
        std=IMAGENET_STD,
        modules=("bb", "squeeze_module"),
        names=("birefnet", "rmbg-2", "rmbg_2", "rmbg2"),
        fits=_is_birefnet,
        has_logits=True,
    ),
    MaskFamily(
        title="IS-Net (RMBG-1.4)",
        mean=_HALF,
        std=(1.0, 1.0, 1.0),
        modules=("conv_in", "side1"),
        names=("isnet", "is-net", "rmbg-1", "rmbg_1", "rmbg1"),
        fits=_is_isnet,
    ),
    MaskFamily(
        title="PP-HumanSeg",
        mean=_HALF,
        std=_HALF,
        names=("pphumanseg", "pp_humanseg", "pp-humanseg", "humanseg"),
        fits=lambda facts: "paddle" in facts.producer.lower(),
        channels=2,
    ),
)


def mask_family(facts: ModelFacts, *, by_name: bool = True) -> MaskFamily | None:
    """Return a mask network's family, by its modules, file name (`by_name`) or graph; None if unknown."""
    channels = output_channels(facts)
    suited = [family for family in _FAMILIES if family.channels == channels]
    tests = (
        MaskFamily.has_modules,
        *((MaskFamily.has_name,) if by_name else ()),
        lambda family, facts: family.fits(facts),
    )
    return next((family for test in tests for family in suited if test(family, facts)), None)
