"""Context of an operator's `lower`: graph values as operands, and `dispatch`, which plans a kernel.

Kernels in `shaders/nn` use `read_<name>(pixel, block)` and `finish(pixel, block, v)` (accessors.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace

from desktop.base.errors import ModelUnsupportedError, Refusal
from desktop.base.wording import sentence
from desktop.compute.nn.ir.epilogue import EpilogueStep, statements, with_floors
from desktop.compute.nn.ir.graph import Graph, Node
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.lowering.accessors import broadcast_read
from desktop.compute.nn.lowering.allocation import assign_slots
from desktop.compute.nn.lowering.launch import Kernel, Launch, Site
from desktop.compute.nn.lowering.memory import Storages
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Dispatch, Operand, Plan
from desktop.compute.nn.lowering.rounds import TooLong, bounded
from desktop.compute.nn.lowering.shader import Arguments, shader_text
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.tuning import C, Decision, Tuning
from desktop.compute.nn.lowering.values import Values, aligned
from desktop.compute.nn.lowering.workgroups import spread
from desktop.compute.nn.refusals import refused


class Lowering:
    """Context that collects storages and dispatches while the graph's nodes are lowered in order.

    Attributes:
        memory: further storages: an operator's constants, and tensors between its kernels.
        sites: the dispatches whose kernel was chosen.
    """

    def __init__(
        self,
        graph: Graph,
        target: Target,
        placements: Mapping[str, tuple[str, int]],
        channels_last: Container[str],
        tuning: Tuning | None = None,
        full_precision: Container[str] = (),
    ) -> None:
        """Args:
        placements: value -> (concatenated value, first channel) for values written into another's memory.
        channels_last: values that operators which only move numbers should write in NHWC.
        tuning: kernels that replace the rules' choices.
        full_precision: values that are stored in float32 whatever the target.
        """
        self.graph = graph
        self.target = target
        self.memory = Storages(target)
        self.values = Values(graph, target, self.memory, placements, channels_last, full_precision)
        self.sites: list[Site] = []
        self._tuning = tuning or Tuning()
        self._dispatches: list[Dispatch] = []

    def decide(
        self, key: str, rule: C, others: Callable[[], Sequence[C]], *, exact: bool = False
    ) -> Decision[C]:
        """Choose between the kernels that are valid for a shape; pass the `Decision` on in a `Launch`.

        All of them read and write the same storages: only code and workgroups differ.
        """
        return self._tuning.decide(key, rule, others, exact=exact)

    # -- operands --------------------------------------------------------------------------------------------

    def nchw(self, name: str) -> Operand:
        """Return a tensor in row-major order, as in ONNX; adds a conversion if it is stored otherwise."""
        return self._in_layout(name, NCHW)

    def nhwc(self, name: str) -> Operand:
        """Return a tensor as vec4s of channels; adds a conversion if it is stored otherwise."""
        return self._in_layout(name, NHWC)

    def _in_layout(self, name: str, layout: str) -> Operand:
        operand = self.values.operand_in_layout(name, layout)
        if operand is None:
            operand = self.values.add_copy(name, layout)
            self._elementwise(name, self.values.any(name), operand, ())
        return operand

    def in_half(self, name: str, operand: Operand) -> Operand:
        """Return a tensor's NHWC `operand` in 16-bit floats; adds the conversion that rounds it, once."""
        half, is_new = self.values.half_of(name, operand)
        if is_new:
            self._elementwise(name, operand, half, ())
        return half

    def _stretchable(self, name: str, shape: tuple[int, ...]) -> Operand:
        """Return an epilogue's operand with the rank of its result of `shape`; row-major if channels change.

        An operand with more dimensions than the result is seen as a matrix with rows of whole vec4s.
        """
        rank = len(shape)
        own = self.graph.shape(name)
        whole = len(own) > rank and math.prod(own) == math.prod(shape)
        if name in self.graph.constants and not whole:
            return self.values.constant(name, rank, flat=len(own) > rank)
        if whole:
            return replace(self.nchw(name), shape=shape, layout=NHWC, stride=shape[1] // 4)
        operand = self.values.any(name)
        if len(operand.shape) == rank:
            free = (
                self.values.operand_in_layout(name, NHWC) if operand.plane == 1 else None
            )  # whole vec4s instead of numbers
            return free or operand
        return replace(self.nchw(name), shape=aligned(operand.shape, rank))

    def view(self, source: str, name: str) -> None:
        """Make `name` a reshaped view of `source`; copies only into a network's output, or from NHWC."""
        if self.values.reshaped(name, source):
            return
        operand = replace(self.nchw(source), shape=self.graph.shape(name))
        if name in self.graph.pinned:
            self._elementwise(name, operand, self.values.result(name, NCHW), ())
        else:
            self.values.alias(name, operand)

    # -- copies ----------------------------------------------------------------------------------------------

    def copy(self, node: Node, source: Operand, result: Operand) -> None:
        """Apply the node's epilogue to `source`, changing layout and element type as needed."""
        self._elementwise(node.name, source, result, node.epilogue)

    def _elementwise(
        self, node: str, source: Operand, result: Operand, epilogue: tuple[EpilogueStep, ...]
    ) -> None:
        if not is_float(result.dtype):
            self._copy_words(node, source, result)
            return
        width, rows = spread(result.pixels * result.blocks)
        numbers = {"PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64}
        kernel = Kernel("elementwise", numbers, own_indices=True)
        self.dispatch(Launch(node, kernel, {"x": source}, result, (width, rows, 1), epilogue=epilogue))

    def _copy_words(self, node: str, source: Operand, result: Operand) -> None:
        """Copy row-major integers: `elementwise` would convert them to f32."""
        count = math.prod(result.shape)
        width, rows = spread(count)
        numbers = {
            "COUNT": count,
            "WIDTH": width * 64,
            "RANK": 1,
            "X_FIRST": 0,
            "Y_FIRST": 0,
            "VECTOR": 0,
            "LANES": 0,
        }
        numbers |= {"SIZE_0": count, "X_0": 1, "Y_0": 1}
        kernel = Kernel("strided", numbers, raw=True)
        self.dispatch(Launch(node, kernel, {"x": source}, result, (width, rows, 1)))

    # -- choices ---------------------------------------------------------------------------------------------

    def attempt(self, lower: Callable[[], bool]) -> bool:
        """Call `lower`; undo all that it added if it returns False."""
        values, storages = self.values.saved(), self.memory.count
        dispatches, sites = len(self._dispatches), len(self.sites)
        if lower():
            return True
        self.values.restore(values)
        self.memory.truncate(storages)
        del self._dispatches[dispatches:]
        del self.sites[sites:]
        return False

    # -- dispatches ------------------------------------------------------------------------------------------

    def dispatch(self, launch: Launch) -> None:
        """Add a dispatch unless it is empty; raise `ModelUnsupportedError` if the adapter cannot run it."""
        if min(launch.workgroups) == 0:
            return
        self._check_operands(launch)
        self._check_workgroups(launch)
        arguments = self._arguments(launch)
        reads, writes = arguments.reads(launch.kernel), arguments.writes(launch.kernel)
        if len(reads) + len(writes) > self.target.max_storages:
            raise ModelUnsupportedError(
                sentence(
                    "The node '{node}' binds more buffers than this adapter has a stage.", node=launch.node
                ),
                ("more buffers than this adapter has a stage",),
            )
        text = self._bounded(launch.node, shader_text(launch.kernel, arguments, self.target))
        if launch.decision is not None:
            self.sites.append(Site(len(self._dispatches), launch.decision, launch.written))
        self._dispatches.append(
            Dispatch(
                launch.node,
                launch.kernel.name,
                text,
                tuple(each.storage for each in reads),
                tuple(each.storage for each in writes),
                launch.workgroups,
                "" if launch.decision is None else launch.decision.tuned,
                # A table of the epilogue is indexed by the computed numbers.
                launch.kernel.own_indices and not any(step.table for step in launch.epilogue),
            )
        )

    def _check_operands(self, launch: Launch) -> None:
        operands = (*launch.reads.values(), launch.result, *launch.others.values())
        if not launch.kernel.raw and not all(is_float(operand.dtype) for operand in operands):
            raise refused(Refusal(sentence("integers where the engine computes only floats")))

    def _check_workgroups(self, launch: Launch) -> None:
        if max(launch.workgroups) > self.target.max_groups:
            raise ModelUnsupportedError(
                sentence(
                    "The node '{node}' needs {count} workgroups in a row, but this adapter takes "
                    "{max_groups}; use a "
                    "smaller input or the onnxruntime backend.",
                    node=launch.node,
                    count=max(launch.workgroups),
                    max_groups=self.target.max_groups,
                ),
                (
                    f"{max(launch.workgroups)} workgroups in a row, and this adapter takes "
                    f"{self.target.max_groups}",
                ),
            )

    def _arguments(self, launch: Launch) -> Arguments:
        """Return the launch's operands and its epilogue's: tensors as e0, e1, ..., tables as t0, t1, ..."""
        operands, arrays = dict(launch.reads), dict(launch.arrays)
        shape = aligned(launch.written.shape, 2)
        expressions: dict[str, str] = {}
        tables: dict[str, str] = {}
        for step in launch.epilogue:
            if step.table and step.table not in tables:
                tables[step.table] = key = f"t{len(tables)}"
                arrays[key] = self.values.table(step.table)
            if step.operand and step.operand not in expressions:
                key = f"e{len(expressions)}"
                operands[key] = self._stretchable(step.operand, shape)
                expressions[step.operand] = broadcast_read(key, operands[key], shape)
        steps = with_floors(launch.epilogue) if launch.result.dtype == "float16" else launch.epilogue
        return Arguments(
            operands, {"y": launch.result, **launch.others}, arrays, statements(steps, expressions, tables)
        )

    def _bounded(self, node: str, text: str) -> str:
        if not self.target.rounds:
            return text
        try:
            return bounded(text, self.target.rounds)
        except TooLong as error:
            raise ModelUnsupportedError(
                sentence(
                    "The node '{node}' needs {rounds} rounds of a loop in one thread, which this software "
                    "adapter "
                    "does not make; use a smaller input or the onnxruntime backend.",
                    node=node,
                    rounds=error.rounds,
                ),
                (f"{error.rounds} rounds of a loop in one thread",),
            ) from error

    @property
    def count(self) -> int:
        """Number of dispatches so far."""
        return len(self._dispatches)

    @property
    def dispatches(self) -> tuple[Dispatch, ...]:
        """Dispatches lowered so far."""
        return tuple(self._dispatches)

    def finish(self) -> Plan:
        """Return the plan of everything lowered so far; unused storages get no memory."""
        storages = self.memory.finish()
        slots, slot_of = assign_slots(storages, self.dispatches)
        return Plan(storages, self.dispatches, self.values.operands, slots, slot_of)
