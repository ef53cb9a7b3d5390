"""One dispatch for a tree of nodes that move numbers and of element-wise ones between them.

For each element of the result, the kernel follows its index back through the nodes to the tensors that they
read (ir/places.py), and applies the element-wise steps on the way. No tensor in between is stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from desktop.compute.nn.ir.epilogue import literal, statements, with_floors
from desktop.compute.nn.ir.graph import Detail, Graph, Node
from desktop.compute.nn.ir.places import (
    Chosen,
    Digit,
    Filled,
    Index,
    Place,
    Read,
    Source,
    Test,
    digits,
    reshaped,
    total,
)
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Fetch, Lower
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.workgroups import spread

_MOST_VALUES: Final = 160
"""Most values in a kernel's text, numbers of a vec4 that are found one by one included."""
_DEEPEST: Final = 6
"""Most sums inside each other in an index."""


@dataclass(frozen=True)
class Member:
    """A node of a tree; `fetch` is None for an element-wise one."""

    node: Node
    lower: Lower
    fetch: Fetch | None


@dataclass(frozen=True)
class Moved(Detail):
    """The nodes that one dispatch computes, in topological order; the last one has the result."""

    members: tuple[Member, ...]


class _Unfit(Exception):
    """A tree without a kernel: its text would be too long, or an operand lies otherwise than its shape says."""


def lower_moved(lowering: Lowering, node: Node) -> None:
    """One dispatch, unless the nodes one by one need no more: many only rename what lies in memory."""
    how = node.detail(Moved)
    assert how is not None
    before = lowering.count

    def one_by_one() -> bool:
        for member in how.members:
            waiting = tuple("" if lowering.values.has(name) else name for name in member.node.outputs)
            if any(waiting):
                member.lower(lowering, replace(member.node, outputs=waiting))
        return lowering.count <= before + 1

    def together() -> bool:
        try:
            lowering.dispatch(_Tree(lowering, node, how.members).launch())
        except _Unfit:
            return False
        return True

    is_less = _fewest(lowering, how.members) < 2 and lowering.attempt(one_by_one)
    if not is_less and not lowering.attempt(together):
        one_by_one()


def _fewest(lowering: Lowering, members: Sequence[Member]) -> int:
    """Return the fewest dispatches that members take one by one: of the others, some only rename memory."""
    nodes = [
        each.node for each in members if not all(map(lowering.values.has, filter(None, each.node.outputs)))
    ]
    return sum(len(each.inputs) if each.op == "Concat" else each.op == "Elementwise" for each in nodes)


def operand_place(place: Place, shape: Sequence[int], own: Sequence[int]) -> Place | None:
    """The place in an operand of shape `own`, stretched to `shape`; None if it has other dimensions.

    An operand with more dimensions holds as many numbers, or a number for each of the last dimension.
    """
    if len(own) <= len(shape):
        return tuple(
            i if n > 1 else Index() for i, n in zip(place[len(shape) - len(own) :], own, strict=True)
        )
    if math.prod(own) == math.prod(shape):
        return reshaped(place, shape, own)
    if shape and math.prod(own) == own[-1] == shape[-1]:
        return (*[Index()] * (len(own) - 1), place[-1])
    return None


class _Tree:
    """The text of the kernel, written from the result to what it reads.

    A value is a vec4: of `width` neighboring elements, or of one element four times.
    """

    def __init__(self, lowering: Lowering, node: Node, members: Sequence[Member]) -> None:
        self._lowering = lowering
        self._node = node
        self._graph: Graph = lowering.graph
        self._made: Mapping[str, Member] = {
            name: each for each in members for name in each.node.outputs if name
        }
        self._lines: list[str] = []
        self._scopes: list[dict[object, str]] = [{}]
        self._names = 0
        self._count = 0
        self._reads: dict[int, tuple[str, Operand]] = {}
        self._vectors: set[str] = set()
        self._numbers: set[str] = set()

    def launch(self) -> Launch:
        """The launch of the kernel."""
        name = self._node.outputs[0]
        values = self._lowering.values
        wanted = len(self._graph.shape(name)) > 1 and values.wants_channels_last(name)
        result = values.result(name, NHWC if wanted else NCHW)
        axes = self._axes(result)
        count = math.prod(size for _, size in axes)
        width = 4 if axes and axes[-1][1] % 4 == 0 and not self._has_padding(result) else 1
        threads = count // width
        at = Digit(None, 1, threads, is_top=True)
        places = tuple(self._place(Index(((at, width),), component), axes) for component in range(width))
        if self._has_padding(result):
            value = self._unless_padding(name, places[0], result)
        else:
            value = self._value(name, places)
        functions = [self._function("moved(at: u32) -> vec4<f32>", value)]
        # The channel of a vec4 that is all padding but its first is an index beyond the shape.
        address = total(zip(places[0], result.strides, strict=True)).plus(result.start * 4)
        where = self._index(_part(address, width))
        functions.append(self._function("place(at: u32) -> u32", where))
        if len(self._reads) >= self._lowering.target.max_storages:
            raise _Unfit
        code = "\n".join([*(self._reader(*each) for each in self._reads.values()), *functions])
        groups, rows = spread(threads)
        kernel = Kernel(
            "moved", {"COUNT": threads, "WIDTH": groups * 64}, code=code, calls=code, own_indices=True
        )
        written = (
            replace(result, shape=(threads, 4), layout=NHWC, stride=1, start=0)
            if width == 4
            else replace(result, shape=(count, 1), layout=NCHW, stride=0, start=0)
        )
        return Launch(self._node.name, kernel, self._operands(), written, (groups, rows, 1))

    # -- the result ------------------------------------------------------------------------------------------

    def _has_padding(self, result: Operand) -> bool:
        return result.layout == NHWC and result.channels % 4 != 0

    def _axes(self, result: Operand) -> list[tuple[int, int]]:
        """(axis, size) as they lie in memory, the outermost first; vec4s of channels are whole."""
        axes = list(enumerate(result.shape))
        if result.layout == NHWC:
            channel = 1 if len(axes) > 1 else 0
            axes.append((channel, result.blocks * 4))
            del axes[channel]
        return axes

    def _place(self, index: Index, axes: Sequence[tuple[int, int]]) -> Place:
        found = digits(index, [size for _, size in axes])
        by_axis = {axis: each for (axis, _), each in zip(axes, found, strict=True)}
        return tuple(by_axis[axis] for axis in range(len(axes)))

    def _unless_padding(self, name: str, place: Place, result: Operand) -> str:
        """Zero past the last channel."""
        kept = self._fresh("r")
        channel = self._index(place[1 if len(place) > 1 else 0])
        self._lines.append(f"var {kept} = vec4<f32>(0.0);")
        with self._block(f"if ({channel} < {result.channels}u) {{"):
            self._lines.append(f"{kept} = {self._value(name, (place,))};")
        return kept

    # -- values ----------------------------------------------------------------------------------------------

    def _value(self, name: str, places: tuple[Place, ...]) -> str:
        """Return WGSL of the elements of a tensor at the places of all components."""
        self._count += 1
        if self._count > _MOST_VALUES:
            raise _Unfit
        member = self._made.get(name)
        if member is None or (self._lowering.values.has(name) and name not in self._node.outputs):
            return self._stored(name, places)
        if member.fetch is None:
            return self._computed(member.node, places)
        found = [member.fetch(member.node, name, place, self._graph) for place in places]
        return self._moved(member.node, tuple(_settled(each) for each in found if each is not None))

    def _moved(self, node: Node, found: tuple[Source, ...]) -> str:
        first = found[0]
        if isinstance(first, Read) and all(isinstance(e, Read) and e.input == first.input for e in found):
            places = tuple(each.place for each in found if isinstance(each, Read))
            return self._value(node.inputs[first.input], places)
        if isinstance(first, Filled) and all(each == first for each in found):
            return f"vec4<f32>({literal(first.value)})"
        choices = tuple(each for each in found if isinstance(each, Chosen))
        if len(choices) == len(found) and all(_is_alike(choices, at) for at in range(len(choices))):
            return self._chosen(node, choices)
        return self._merged([self._moved(node, (each,)) for each in found])

    def _chosen(self, node: Node, choices: tuple[Chosen, ...]) -> str:
        kept = self._fresh("r")
        tests = " && ".join(f"{self._index(test.index)} < {test.size}u" for test in choices[0].tests)
        self._lines.append(f"var {kept} = vec4<f32>(0.0);")
        with self._block(f"if ({tests}) {{"):
            value = self._moved(node, tuple(_settled(each.then) for each in choices))
            self._lines.append(f"{kept} = {value};")
        with self._block("else {"):
            value = self._moved(node, tuple(_settled(each.otherwise) for each in choices))
            self._lines.append(f"{kept} = {value};")
        return kept

    def _merged(self, values: Sequence[str]) -> str:
        return f"vec4<f32>({', '.join(f'({value}).x' for value in values)})"

    def _computed(self, node: Node, places: tuple[Place, ...]) -> str:
        shape = self._graph.shape(node.outputs[0])
        base = self._value(node.inputs[0], places)
        operands: dict[str, str] = {}
        for step in node.epilogue:
            if step.operand and step.operand not in operands:
                own = self._graph.shape(step.operand)
                seen = [operand_place(place, shape, own) for place in places]
                operands[step.operand] = self._value(
                    step.operand, tuple(each for each in seen if each is not None)
                )
        steps = node.epilogue
        if (
            node.outputs == self._node.outputs
            and self._lowering.values.any(node.outputs[0]).dtype == "float16"
        ):
            steps = with_floors(steps)
        kept = self._fresh("r")
        self._lines.append(f"var {kept} = {base};")
        with self._block("{"):
            self._lines.append(f"var v = {kept};")
            self._lines += statements(steps, operands, {})
            self._lines.append(f"{kept} = v;")
        return kept

    def _stored(self, name: str, places: tuple[Place, ...]) -> str:
        operand = self._operand(name)
        if len(operand.shape) != len(self._graph.shape(name)):
            places = tuple(self._of_vector(place, operand) for place in places)
        key = self._reads.setdefault(operand.storage, (f"x{len(self._reads)}", operand))[0]
        addresses = [self._address(operand, place) for place in places]
        first = addresses[0]
        if len(addresses) == 4 and first.is_multiple_of(4) and _are_neighbors(addresses):
            self._vectors.add(key)
            return self._let((key, first, 4), f"vector_{key}({self._index(_part(first, 4))})")
        self._numbers.add(key)
        if all(each == first for each in addresses):
            return self._let((key, first, 1), f"vec4<f32>(number_{key}({self._index(first)}))")
        numbers = ", ".join(f"number_{key}({self._index(each)})" for each in addresses)
        return self._let((key, *addresses), f"vec4<f32>({numbers})")

    def _operand(self, name: str) -> Operand:
        """Return a tensor as it lies; a constant with a number a channel is stored in float32."""
        array = self._graph.constants.get(name)
        values = self._lowering.values
        if array is not None and array.ndim < 2:
            return values.constant(name, 2)
        if array is not None and array.size == array.shape[-1]:
            return values.constant(name, 2, flat=True)
        if array is not None and array.size == array.shape[1]:
            return values.constant(name, array.ndim)
        operand = source(self._lowering, name)
        if operand.shape != self._graph.shape(name):
            raise _Unfit
        return operand

    def _of_vector(self, place: Place, operand: Operand) -> Place:
        """The place in a constant that is stored as one row."""
        return (Index(), place[-1] if place and operand.shape[-1] > 1 else Index())

    def _address(self, operand: Operand, place: Place) -> Index:
        steps = zip(place, operand.strides, operand.shape, strict=True)
        return total((index, step) for index, step, size in steps if size > 1).plus(operand.start * 4)

    def _reader(self, key: str, operand: Operand) -> str:
        """Return functions that read numbers and vec4s, as needed."""
        vector = f"fn vector_{key}(at: u32) -> vec4<f32> {{ return vec4<f32>({key}[at]); }}"
        at = f"{key}[at / 4u][at % 4u]" if key in self._vectors else f"{key}[at]"
        number = f"fn number_{key}(at: u32) -> f32 {{ return f32({at}); }}"
        return "\n".join([vector] * (key in self._vectors) + [number] * (key in self._numbers))

    def _operands(self) -> dict[str, Operand]:
        """Only the type of an array hangs on the layout."""
        return {
            key: replace(operand, layout=NHWC, stride=operand.stride or operand.blocks)
            if key in self._vectors
            else replace(operand, layout=NCHW)
            for key, operand in self._reads.values()
        }

    # -- text ------------------------------------------------------------------------------------------------

    def _function(self, head: str, value: str) -> str:
        """Return a function of the lines so far, which ends with a value; begin anew."""
        body = "\n".join(f"  {line}" for line in (*self._lines, f"return {value};"))
        self._lines, self._scopes = [], [{}]
        return f"fn {head} {{\n{body}\n}}"

    def _fresh(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    @contextmanager
    def _block(self, head: str) -> Iterator[None]:
        self._lines.append(head)
        self._scopes.append({})
        yield
        self._scopes.pop()
        self._lines.append("}")

    def _let(self, key: object, code: str) -> str:
        """Return the variable of an expression, the same one for the same key where it is in scope."""
        for scope in self._scopes:
            if key in scope:
                return scope[key]
        name = self._fresh("v")
        self._lines.append(f"let {name} = {code};")
        self._scopes[-1][key] = name
        return name

    def _index(self, index: Index) -> str:
        """Return WGSL of an index, a u32."""
        if index.depth > _DEEPEST:
            raise _Unfit
        added = [_times(self._digit(digit), by) for digit, by in index.terms if by > 0]
        taken = [_times(self._digit(digit), -by) for digit, by in index.terms if by < 0]
        (added if index.first > 0 else taken).extend([f"{abs(index.first)}u"] if index.first else [])
        return " - ".join([" + ".join(added) or "0u", *taken])

    def _digit(self, digit: Digit) -> str:
        for scope in self._scopes:
            if digit in scope:
                return scope[digit]
        whole = "at" if digit.whole is None else self._let(digit.whole, self._index(digit.whole))
        code = whole if digit.step == 1 else f"{whole} / {digit.step}u"
        code = code if digit.is_top else f"{code} % {digit.size}u"
        return code if code == whole else self._let(digit, code)


def _times(name: str, by: int) -> str:
    return name if by == 1 else f"{name} * {by}u"


def _part(index: Index, by: int) -> Index:
    """A multiple of `by`, divided by it."""
    return Index(tuple((digit, factor // by) for digit, factor in index.terms), index.first // by)


def _are_neighbors(addresses: Sequence[Index]) -> bool:
    return all(each == addresses[0].plus(component) for component, each in enumerate(addresses))


def _settled(found: Source) -> Source:
    """The source without choices whose outcome is the same everywhere."""
    while isinstance(found, Chosen):
        results = [test.known for test in found.tests]
        if False in results:
            found = found.otherwise
        elif None in results:
            open_ones = tuple(test for test, known in zip(found.tests, results, strict=True) if known is None)
            return replace(found, tests=open_ones)
        else:
            found = found.then
    return found


def _is_alike(choices: Sequence[Chosen], component: int) -> bool:
    """True where a component's tests have the same results as the first one's."""
    pairs = zip(choices[0].tests, choices[component].tests, strict=False)
    return len(choices[0].tests) == len(choices[component].tests) and all(
        _is_same_test(first, other, component) for first, other in pairs
    )


def _is_same_test(first: Test, other: Test, component: int) -> bool:
    if first.size != other.size:
        return False
    whole = first.size % 4 == 0 and first.index.is_multiple_of(4)
    return first.index == other.index or (whole and other.index == first.index.plus(component))
