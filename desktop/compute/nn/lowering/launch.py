"""What an operator asks for: a kernel, and the tensors and workgroups that it runs with. `Lowering.dispatch` makes a `Dispatch` of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desktop.compute.nn.ir.epilogue import EpilogueStep
from desktop.compute.nn.lowering.plan import Operand, Phased
from desktop.compute.nn.lowering.tuning import Decision


@dataclass(frozen=True)
class Kernel:
    """A kernel of `shaders/nn`, and what its text is completed with.

    Attributes:
        name: of its file, without `.wgsl`.
        numbers: become u32 constants of the kernel and loop counts of its template.
        floats: become f32 constants.
        code: functions of the operator that the kernel calls.
        calls: names with a parenthesis, as in a call, of what the kernel calls of `functions.py`, where it is not `raw`.
        raw: bind the tensors as arrays of numbers, with no accessors and no epilogue.
        octets: tensors of 16-bit floats that are bound as 16 bytes an element, with no accessor.
        directives: what the text begins with, for features that WebGPU has not.
        own_indices: what it indexes arrays by follows from the thread's place and from constants of its text, never from numbers in
            memory, and is inside them by construction: it is compiled without checks (`tests/gpu/test_nn_indices.py` holds it to that).
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
    """A kernel on its operands.

    Attributes:
        node: name of the node that it computes.
        reads: the tensors that the kernel reads, as `read_<name>(pixel, block)`.
        result: what it writes.
        workgroups: x, y, z; with none (an empty tensor) there is nothing to do.
        arrays: packed constants: name -> (storage, WGSL element type of the array).
        others: further tensors that it writes, by `write_<name>(pixel, block, v)`; they lie channels last.
        epilogue: steps that the kernel applies through `finish(pixel, block, v)`.
        decision: how the kernel was chosen, where there was a choice.
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
        """The result as what reads it sees it."""
        return self.result.whole if isinstance(self.result, Phased) else self.result


@dataclass(frozen=True)
class Site:
    """A dispatch whose kernel was chosen: its place among the dispatches, and what it writes."""

    index: int
    decision: Decision[object]
    result: Operand
