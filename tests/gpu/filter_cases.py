"""A filter, its values, its CPU reference and its tolerance; and a way to see that the tolerance is kept an
eye on.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from filter_rig import FilterRig, natural_picture

from desktop.pipeline.filters.description import Filter


def srgb_to_linear(c: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1, mirrored below zero."""
    a = np.abs(c)
    return np.sign(c) * np.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(c: np.ndarray) -> np.ndarray:
    """Inverse of `srgb_to_linear`."""
    a = np.abs(c)
    return np.sign(c) * np.where(a <= 0.0031308, a * 12.92, 1.055 * a ** (1 / 2.4) - 0.055)


def luma(picture: np.ndarray) -> np.ndarray:
    """ITU-R BT.709-6 luma of R'G'B'."""
    return picture.astype(np.float64) @ np.array([0.2126, 0.7152, 0.0722])


@dataclass(frozen=True)
class Case:
    """One comparison.

    Attributes:
        filter: the filter's id.
        reference: picture [h, w, 3] float32 -> expected [h, w, 3]; independent of the shader.
        atol: largest difference of a value.
        values: parameters.
        outliers: share of the pixels that may differ by more (filters that decide, where one rounding turns a
            decision).
        picture: what it runs on.
    """

    filter: str
    reference: Callable[[np.ndarray], np.ndarray]
    atol: float
    values: Mapping[str, object] = field(default_factory=dict)
    outliers: float = 0.0
    picture: Callable[[], np.ndarray] = natural_picture

    def __str__(self) -> str:
        return self.filter + "".join(f"-{key}={value}" for key, value in self.values.items())

    def run(self, rig: FilterRig, delta: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Return (result, expected); with `delta` the shader itself is changed to be off by that much."""
        picture = self.picture()
        spec = rig.library.get(self.filter)
        if delta:
            spec = perturbed(spec, delta)
        return rig.run_frames(spec, [picture], **self.values)[0][..., :3], self.reference(picture)

    def check(self, result: np.ndarray, expected: np.ndarray) -> None:
        """Assert that they agree."""
        assert result.shape == expected.shape
        wrong = (np.abs(result - expected) > self.atol).any(axis=-1)
        worst = np.abs(result - expected).max()
        assert np.isfinite(result).all()
        assert wrong.mean() <= self.outliers, f"{self}: {wrong.sum()} pixels differ, the worst by {worst:.5f}"


def perturbed(spec: Filter, delta: float) -> Filter:
    """Return a filter whose shader adds `delta` to what the passes with the result 'output' store."""
    last = [step for step in spec.passes if step.output == "output"][-1]
    shift = f"vec4f(vec3f({delta:.8f}), 0.0)"
    if last.kind == "pixel":
        text, count = re.subn(rf"\bfn {last.entry}\(", "fn exact_output(", spec.text)
        text += f"\nfn {last.entry}(p: vec2i) -> vec4f {{ return exact_output(p) + {shift}; }}\n"
    else:
        head, entry, tail = spec.text.partition(f"fn {last.entry}(")
        tail, count = re.subn(
            r"textureStore\(result, p, (.*)\);", rf"textureStore(result, p, \1 + {shift});", tail
        )
        text = head + entry + tail
    assert count == 1, f"the shader of {spec.id} has another shape than expected"
    return dataclasses.replace(spec, text=text)
