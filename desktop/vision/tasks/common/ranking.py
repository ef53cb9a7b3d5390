"""Tasks that rank classes by a row of scores, also without a head: exported pages have only shaders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from desktop.compute.nn.session import TensorInfo


@runtime_checkable
class Ranks(Protocol):
    """A task whose result is the best classes, as a shader finds them."""

    ranking_shader: str
    """The file in `shaders/nn_tasks/`."""

    def class_count(self, inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo], name: str) -> int:
        """Return a network's number of classes; raise ModelUnsupportedError if it has no row of scores."""

    def ranking_plan(self, count: int, top: int, *, logits: bool) -> bytes:
        """Return the shader's uniform for the `top` best of `count` scores, with softmax for logits."""
