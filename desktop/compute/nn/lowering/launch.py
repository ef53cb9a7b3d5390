"""A launch: a kernel with the tensors and workgroups that it runs on. `Lowering.dispatch` makes a `Dispatch`
of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.lowering.plan import Operand, Phased
from desktop.compute.nn.lowering.tuning import Decision


@dataclass(frozen=True)
class Kernel:
    """A kernel of `shaders/nn`, and the values that complete its text.

    Attributes:
        name: its file, without `.wgsl`.
        numbers: u32 constants of the kernel and loop counts of its template.
        floats: f32 constants.
        code: functions of the operator that the kernel calls.
        calls: functions of `functions.py` that the kernel calls, each with a parenthesis, if not `raw`.
        raw: bind the tensors as arrays of numbers, with no accessors and no epilogue.
        octets: tensors of 16-bit floats bound as 16 bytes an element (as 8 if they are in the memory of the
            result), with no accessor.
        directives: start of the text, for features that WebGPU does not have.
        own_indices: compile without bounds checks, as array indices never come from memory and are in range
            by construction (`tests/gpu/test_nn_indices.py` checks that).
    """

    name: str
    numbers: Mapping[str, int]
    floats: Mapping[str, float] = field(default_factory=dict)
    code: str = ""
    calls: str = ""
    raw: bool = False
    octets: frozenset[str] = frozenset()
    directives: tuple[str, ...] = ()
    own_indices: bool = False


@dataclass(frozen=True)
class Launch:
    """A kernel with its operands.

    Attributes:
        reads: the tensors that the kernel reads, as `read_<name>(pixel, block)`.
        workgroups: x, y, z; 0 for an empty tensor, with nothing to do.
        arrays: packed constants: name -> (storage, WGSL element type of the array).
        others: further tensors that it writes, by `write_<name>(pixel, block, v)`, in NHWC.
        epilogue: steps that the kernel applies through `finish(pixel, block, v)`.
        decision: how the kernel was chosen, if there was a choice.
    """

    node: str
    kernel: Kernel
    reads: Mapping[str, Operand]
    result: Operand
    workgroups: tuple[int, int, int]
    arrays: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    others: Mapping[str, Operand] = field(default_factory=dict)
    epilogue: tuple[EpilogueStep, ...] = ()
    decision: Decision[object] | None = None

    @property
    def written(self) -> Operand:
        """Return the result in the form that its readers see."""
        return self.result.whole if isinstance(self.result, Phased) else self.result


@dataclass(frozen=True)
class Site:
    """A dispatch whose kernel was chosen: its index among the dispatches, and its result."""

    index: int
    decision: Decision[object]
    result: Operand
