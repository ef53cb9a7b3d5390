"""Attention spelled out in primitives becomes one ScaledDotProductAttention.

    y = Softmax(scale * Q K^T + masks) V

as exporters write it: scale by Mul or Div of scores, Q or K; masks added or by Where; K transposed; heads
split by Reshape, Transpose, Split, Slice or Gather, or shared by Expand; (V P^T); guards against rows masked
everywhere. Nodes that only move numbers are not run: the kernel uses strides (moves.py). Not fused: heads
wider than `WIDEST`, weights read elsewhere, too many masks (`MOST_MASKS`) or masks without strides, integers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop.compute.nn.ir.graph import INTERNAL, Graph, Node, Value
from desktop.compute.nn.ir.scalar import is_float
from desktop.compute.nn.ir.views import Axis, TensorView, common_steps, row_major
from desktop.compute.nn.kernels.attention import MOST_MASKS, WIDEST, Attention, Blank, Mask, MatrixStack
from desktop.compute.nn.lowering.operator import axis_of
from desktop.compute.nn.ops.layout import order_of
from desktop.compute.nn.passes.moves import Views, factor_of, scalar_of
from desktop.compute.nn.passes.pattern import Matcher
from desktop.compute.nn.passes.unused import remove_unused

_OVERWRITES = -1e30
"""Largest number that a Where may put in place of a score: added to one, it is still that number."""

_DEEPEST = 16
"""Nodes between the softmax and Q K^T; exporters write up to six."""

Shape = tuple[int, ...]


def fuse_attention(graph: Graph) -> Graph:
    """Replace the last product by the attention; nodes before it that become unused are removed."""
    return _Fusion(graph).run()


@dataclass(frozen=True)
class _Mask:
    """A term of the scores: value, broadcast shape, factor, and its node if the pass makes one."""

    name: str
    shape: Shape
    factor: float
    made: Node | None = None


@dataclass(frozen=True)
class _Scores:
    """Origin of the scores: Q K^T (`node`), their factor, and what was added on the way."""

    node: Node
    factor: float
    masks: tuple[_Mask, ...]


class _Fusion:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._matcher = Matcher(graph)
        self._views = Views(graph)
        self._values = dict(graph.values)
        self._constants: dict[str, np.ndarray] = {}

    def run(self) -> Graph:
        nodes: list[Node] = []
        gone: set[str] = set()  # what a fused node computes instead
        for node in self._graph.nodes:
            made = self._attention(node)
            nodes += made or [node]
            gone.update(made[-1].outputs if made else ())
        if not gone:
            return self._graph
        nodes = [
            node
            for node in nodes
            if node.op == "ScaledDotProductAttention" or not gone.intersection(node.outputs)
        ]
        # What only the replaced nodes' neighbors read goes at once: it may read what no longer exists.
        return remove_unused(replace(self._graph, values=self._values).with_nodes(nodes, self._constants))

    # -- helpers ---------------------------------------------------------------------------------------------

    def _made_by(self, name: str, *ops: str, readers: int = 1) -> Node | None:
        """Return the plain float node of one of `ops` that makes `name`, if only `readers` nodes read it."""
        node = self._matcher.made_by(name, *ops)
        if node is None or not self._matcher.is_private(name, readers):
            return None
        return node if is_float(self._graph.values[name].dtype) else None

    def _without_casts(self, name: str) -> str:
        """`name` before casts between floats: all of them are held in the session's own type."""
        for _ in range(_DEEPEST):
            cast = self._made_by(name, "Cast")
            if cast is None or not is_float(self._graph.values[cast.inputs[0]].dtype):
                break
            name = cast.inputs[0]
        return name

    # -- the match -------------------------------------------------------------------------------------------

    def _attention(self, node: Node) -> list[Node] | None:
        """Return the replacement of `node`, if it is the product of softmaxed scores and values."""
        if node.op != "MatMul" or not node.is_plain:
            return None
        if min(len(self._graph.shape(name)) for name in node.inputs) < 2:
            return None
        for turned in (False, True):
            weights, values = node.inputs[::-1] if turned else node.inputs
            if turned:
                flip = self._made_by(weights, "Transpose")
                if flip is None or not self._swaps(flip):
                    continue
                weights = flip.inputs[0]
            made = self._fused(node, weights, values, turned)
            if made is not None:
                return made
        return None

    def _swaps(self, node: Node) -> bool:
        """True for a Transpose of the last two dimensions alone."""
        rank = len(self._graph.shape(node.inputs[0]))
        return order_of(node, rank) == [*range(rank - 2), rank - 1, rank - 2]

    def _fused(self, node: Node, weights: str, values: str, turned: bool) -> list[Node] | None:
        weights, guard = self._unguarded(self._without_casts(weights))
        softmax = self._made_by(weights, "Softmax", readers=2 if guard == "undefined" else 1)
        if softmax is None or not self._is_of_rows(softmax):
            return None
        scores = self._scores(self._without_casts(softmax.inputs[0]), 1.0, (), _DEEPEST)
        if scores is None:
            return None
        blank = self._blank(guard, scores)
        if blank is None:
            return None
        masks = tuple(mask for mask in scores.masks if not self._is_nothing(mask))
        made = self._node(
            node, self._graph.shape(softmax.inputs[0]), replace(scores, masks=masks), values, turned, blank
        )
        return None if made is None else [*(each for mask in masks for each in self._added_nodes(mask)), made]

    def _is_of_rows(self, softmax: Node) -> bool:
        rank = len(self._graph.shape(softmax.inputs[0]))
        axis = int(softmax.attributes.get("axis", -1 if softmax.version >= 13 else 1))
        return rank >= 2 and axis_of(softmax, axis, rank) == rank - 1

    def _unguarded(self, name: str) -> tuple[str, str]:
        """The softmax in Where(rows, 0, softmax), and the condition ('undefined': IsNaN), '' for no guard."""
        where = self._made_by(name, "Where")
        if where is None or scalar_of(self._graph, where.inputs[1]) != 0.0:
            return name, ""
        condition, _, inner = where.inputs
        if self._graph.shape(inner) != self._graph.shape(name):
            return name, ""
        check = self._matcher.made_by(condition, "IsNaN")
        if check is not None and check.inputs[0] == inner:
            return inner, "undefined"
        return self._without_casts(inner), condition

    def _blank(self, guard: str, scores: _Scores) -> Blank | None:
        """Return the rows that the guard makes zero; None unless they are NaN or excluded by the mask."""
        if guard in ("", "undefined"):
            return "undefined" if guard else "never"
        masks = [mask.name for mask in scores.masks if mask.factor > 0]
        known = self._graph.constants.get(guard)
        if known is not None:
            if not known.any():
                return "never"
            arrays = [self._graph.constants.get(name) for name in masks]
            if len(arrays) != 1 or arrays[0] is None:
                return None
            taken = np.atleast_1d(arrays[0]).max(axis=-1, keepdims=True) == -np.inf
            return "masked" if known.shape == taken.shape and (known == taken).all() else None
        equal = self._matcher.made_by(guard, "Equal")
        if equal is None or scalar_of(self._graph, equal.inputs[1]) != -math.inf:
            return None
        largest = self._matcher.made_by(equal.inputs[0], "ReduceMax")
        if largest is None or len(masks) != 1 or largest.inputs[0] != masks[0]:
            return None
        kept = (*self._graph.shape(masks[0])[:-1], 1)
        return "masked" if self._graph.shape(equal.inputs[0]) == kept else None

    def _is_nothing(self, mask: _Mask) -> bool:
        array = self._graph.constants.get(mask.name)
        return array is not None and not array.any()

    def _scores(self, name: str, factor: float, masks: tuple[_Mask, ...], reach: int) -> _Scores | None:
        """Follow the scores back to the product that they come from."""
        node = self._made_by(name, "MatMul", "Mul", "Div", "Add", "Where", "Reshape", "Cast")
        if node is None or reach == 0:
            return None
        if node.op == "MatMul":
            ranks = [len(self._graph.shape(each)) for each in node.inputs]
            return _Scores(node, factor, masks) if min(ranks) >= 2 else None
        scaled = factor_of(self._graph, node)
        if scaled is not None:
            return self._scores(scaled[0], factor * scaled[1], masks, reach - 1)
        if node.op == "Add":
            return self._added(node, factor, masks, reach)
        if node.op == "Where":
            return self._overwritten(node, factor, masks, reach)
        if node.op == "Reshape" or (node.op == "Cast" and is_float(self._dtype(node.inputs[0]))):
            return self._scores(node.inputs[0], factor, masks, reach - 1)
        return None

    def _dtype(self, name: str) -> str:
        return self._graph.values[name].dtype

    def _added(self, node: Node, factor: float, masks: tuple[_Mask, ...], reach: int) -> _Scores | None:
        shape = self._graph.shape(node.outputs[0])
        for name, mask in (node.inputs, node.inputs[::-1]):
            if self._graph.shape(name) == shape:
                found = self._scores(name, factor, (*masks, _Mask(mask, shape, factor)), reach - 1)
                if found is not None:
                    return found
        return None

    def _overwritten(self, node: Node, factor: float, masks: tuple[_Mask, ...], reach: int) -> _Scores | None:
        """Where(c, fill, scores) is scores + Where(c, fill, 0) if `fill` is far below any score."""
        condition, shape = node.inputs[0], self._graph.shape(node.outputs[0])
        name = f"{node.outputs[0]}:mask"
        for scores, fill in ((2, 1), (1, 2)):
            number = scalar_of(self._graph, node.inputs[fill])
            if number is None or not number <= _OVERWRITES or factor != 1.0:
                continue
            if self._graph.shape(node.inputs[scores]) != shape:
                continue
            inputs = [condition, *node.inputs[1:]]
            inputs[scores] = f"{name}:zero"
            mask = _Mask(name, shape, 1.0, replace(node, name=name, inputs=tuple(inputs), outputs=(name,)))
            return self._scores(node.inputs[scores], factor, (*masks, mask), reach - 1)
        return None

    # -- what is made ----------------------------------------------------------------------------------------

    def _added_nodes(self, mask: _Mask) -> list[Node]:
        """A mask's own node, entered with what it reads into the graph; none where its result is known."""
        if mask.made is None:
            return []
        filled = self._filled(mask.made)
        known = self._known(mask)
        if known is not None:
            self._constants[mask.name] = known
            return []
        self._values[mask.name] = Value(mask.name, self._made_shape(mask.made), self._dtype(filled))
        self._constants[f"{mask.name}:zero"] = np.zeros((), self._dtype(filled))
        return [mask.made]

    def _filled(self, where: Node) -> str:
        """Return the number that a mask's own node puts in place of a score."""
        return next(name for name in where.inputs[1:] if name in self._graph.values)

    def _known(self, mask: _Mask) -> np.ndarray | None:
        """A mask's numbers, without its factor; None where they are computed by the network."""
        if mask.made is None:
            return self._graph.constants.get(mask.name)
        condition, *others = mask.made.inputs
        chosen, filled = self._graph.constants.get(condition), self._filled(mask.made)
        if chosen is None:
            return None
        zero = np.zeros((), self._dtype(filled))
        return np.where(
            chosen, *(zero if name != filled else self._graph.constants[filled] for name in others)
        )

    def _visible_keys(self, masks: Sequence[_Mask], shape: Shape) -> int | None:
        """Return n if known masks let row i attend to at most its first i + n keys; None for all of them."""
        keys = least = shape[-1]
        for mask in masks:
            numbers = self._known(mask)
            if numbers is None or numbers.ndim < 2 or not numbers.shape[-2:] == mask.shape[-2:] == shape[-2:]:
                continue
            numbers = numbers.reshape(-1, *shape[-2:]) * np.float64(mask.factor)
            taken = numbers == -np.inf
            low = numbers <= _OVERWRITES
            # A row of low finite numbers only has weights everywhere, and two masks together may make one.
            if len(masks) == 1 and not low.all(axis=2).any():
                taken = low
            rows, columns = np.nonzero(~taken.all(axis=0))
            least = min(least, max(int((columns - rows).max(initial=-1)) + 1, 0))
        return least if least < keys else None

    def _made_shape(self, where: Node) -> Shape:
        """Shape of a mask's own node: the condition's, stretched to the number's that it chooses."""
        shapes = [self._graph.shape(name) for name in where.inputs if name in self._graph.values]
        return tuple(int(n) for n in np.broadcast_shapes(*shapes))

    def _node(
        self, node: Node, shape: Shape, scores: _Scores, values: str, turned: bool, blank: Blank
    ) -> Node | None:
        """The attention of scores of `shape`."""
        query, key = scores.node.inputs
        result, product = (self._graph.shape(each.outputs[0]) for each in (node, scores.node))
        head, width = self._graph.shape(query)[-1], result[-2 if turned else -1]
        if max(head, width) > WIDEST or min(*shape, head, width) < 1 or len(scores.masks) > MOST_MASKS:
            return None
        if math.prod(result[:-2]) != math.prod(shape[:-2]):
            return None  # weights that are stretched over values
        if product[-2:] != shape[-2:]:
            return None  # a softmax of something else than a query's scores
        v, y = self._views.matrices(values), self._result(node)
        found = [
            self._views.matrices(query).stretched((*product[:-2], shape[-2], head)),
            self._views.matrices(key).stretched((*product[:-2], head, shape[-1])).flipped(),
            v.stretched((*result[:-2], *v.shape[-2:])),
            y,
            *(self._mask(mask, shape) for mask in scores.masks),
        ]
        seen = [each for each in found if each is not None]
        batch = common_steps([each.axes[:-2] for each in seen]) if len(seen) == len(found) else None
        if batch is None:
            return None
        placed = [*zip(seen, batch[1], strict=True)]
        views = [MatrixStack(e.first, steps, _step(e.axes[-2]), _step(e.axes[-1])) for e, steps in placed[:4]]
        if turned:
            views[2:] = [replace(view, row=view.column, column=view.row) for view in views[2:]]
        how = Attention(
            batch=batch[0],
            queries=shape[-2],
            keys=shape[-1],
            head=head,
            width=width,
            scale=scores.factor * seen[0].factor * seen[1].factor,
            gain=v.factor,
            query=views[0],
            key=views[1],
            value=views[2],
            result=views[3],
            masks=tuple(Mask(e.first, steps, e.axes[-2], e.axes[-1], e.factor) for e, steps in placed[4:]),
            blank=blank,
            seen=self._visible_keys(scores.masks, shape),
        )
        self._views.stop_at(y.source)
        sources = tuple(each.source for each in (*seen[:3], *seen[4:]))
        made = replace(
            node, op="ScaledDotProductAttention", domain=INTERNAL, inputs=sources, outputs=(y.source,), attributes={}
        )  # fmt: skip
        return made.with_detail(how)

    def _mask(self, mask: _Mask, shape: Shape) -> TensorView | None:
        """Return the summand of scores whose final shape is `shape`."""
        if mask.made is None:
            seen = self._views.of(mask.name)
        else:
            seen = row_major(mask.name, self._made_shape(mask.made))
        return replace(seen, factor=seen.factor * mask.factor).stretched(mask.shape).reshaped(shape)

    def _result(self, node: Node) -> TensorView:
        """Return the tensor that takes the results behind their last Transpose, and where they lie in it."""
        path: list[Node] = []
        name, last = node.outputs[0], 0
        while name not in self._graph.pinned and len(readers := self._matcher.readers_of(name)) == 1:
            (reader,) = readers
            if reader.op not in ("Transpose", "Reshape") or not reader.is_plain:
                break
            path.append(reader)
            name = reader.outputs[0]
            if reader.op == "Transpose" or name in self._graph.pinned:
                last = len(path)
        seen: TensorView | None = self._row_major(path[last - 1]) if last else None
        for each in reversed(path[:last]):
            seen = None if seen is None else self._undone(each, seen)
        return seen if seen is not None and seen.is_of_matrices else self._row_major(node)

    def _row_major(self, node: Node) -> TensorView:
        return row_major(node.outputs[0], self._graph.shape(node.outputs[0]))

    def _undone(self, node: Node, seen: TensorView) -> TensorView | None:
        """The input of a Transpose or Reshape whose output is `seen`."""
        if node.op == "Reshape":
            return seen.reshaped(self._graph.shape(node.inputs[0]))
        return seen.transposed([int(n) for n in np.argsort(order_of(node, len(seen.axes)))])


def _step(axis: Axis) -> int:
    return axis[0][1] if axis else 0
