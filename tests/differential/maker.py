"""Builds a graph node by node, computing each as it is added: shapes and values are then known, and invalid
nodes drop out.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import onnx
from onnx import helper

from differential.oracle import Refused, Runner, model_of, tensor_type

OPSETS = range(7, onnx.defs.onnx_opset_version() + 1)
"""Of which graphs are made: all that the engine reads and this onnx defines."""
OLD = range(OPSETS.start, 11)
"""In which many operators have other forms; more of the graphs are of these."""
LARGEST = 6000
"""Elements of an ordinary tensor."""
BIG = 400_000
"""Elements of the large ones that a few graphs have."""
_SPECIAL = (
    np.nan,
    float(np.copysign(np.nan, -1.0)),
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-40,
    1e12,
    -1e12,
    88.0,
    -88.0,
    0.5,
    1e30,
    2.0,
)


@cache
def _schema(op: str, opset: int) -> onnx.defs.OpSchema:
    try:
        schema = onnx.defs.get_schema(op, opset)
    except onnx.defs.SchemaError as error:
        raise Refused("another opset") from error
    if schema.deprecated:
        raise Refused("another opset")
    return schema


class Maker:
    """A graph in the making."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng([seed, 20241])
        opsets = OLD if self.rng.random() < 0.25 else OPSETS
        self.opset = int(self.rng.integers(opsets.start, opsets.stop))
        self.special = bool(self.rng.random() < 0.2)
        self.arrays: dict[str, np.ndarray] = {}
        self.inputs: list[str] = []
        self.constants: set[str] = set()
        self.nodes: list = []
        self.runners: list[Runner] = []
        self.pool: list[str] = []
        self.largest = LARGEST
        self.wanted: list[str] = []
        self._count = 0

    # -- chance ----------------------------------------------------------------------------------------------

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return bool(self.rng.random() < p)

    def choose(self, *items):
        """One of the items."""
        return items[int(self.rng.integers(len(items)))]

    def size(self) -> int:
        """A dimension: mostly small, often no multiple of 4."""
        return int(self.choose(1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 12, 13, 16, 17, 20, 32))

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return int(self.rng.integers(low, high + 1))

    # -- tensors ---------------------------------------------------------------------------------------------

    def name(self, kind: str) -> str:
        """A new name."""
        self._count += 1
        return f"{kind}{self._count}"

    def numbers(self, shape, dtype: str = "float32", low: int = -8, high: int = 8) -> np.ndarray:
        """Random numbers."""
        if dtype == "float32":
            scale = self.choose(1.0, 1.0, 1.0, 0.1, 4.0)
            a = self.rng.standard_normal(shape) * scale
            if self.chance(0.1):
                a = np.round(a * 2) / 2  # ties, whole numbers, zeros
            a = np.asarray(a, np.float32)
            if self.special and a.size and self.chance(0.6):
                flat = a.reshape(-1).copy()
                for _ in range(self.between(1, 4)):
                    flat[self.between(0, flat.size - 1)] = self.choose(*_SPECIAL)
                a = flat.reshape(a.shape)
            return a
        if dtype == "bool":
            return np.asarray(self.rng.random(shape) < 0.5)
        if dtype.startswith("u"):
            low, high = 0, (255 if dtype == "uint8" else 40)
        elif dtype == "int8":
            low, high = -128, 127
        return np.asarray(self.rng.integers(low, high + 1, shape), dtype)

    def put(self, array: np.ndarray, *, constant: bool) -> str:
        """Add an input or an initializer."""
        array = np.asarray(array, order="C")
        name = self.name("c" if constant else "x")
        self.arrays[name] = array
        if constant:
            self.constants.add(name)
        else:
            self.inputs.append(name)
        return name

    def const(self, array, dtype: str = "") -> str:
        """Add an initializer."""
        return self.put(np.asarray(array, dtype or None), constant=True)

    def ints(self, values) -> str:
        """An int64 initializer of one dimension."""
        return self.const(np.asarray(values, np.int64).reshape(-1))

    def new(self, shape, dtype: str = "float32", constant: float = 0.25) -> str:
        """A new tensor: an input, or an initializer with that probability."""
        fixed = self.chance(constant)
        name = self.put(self.numbers(tuple(shape), dtype), constant=fixed)
        self.pool.append(name)
        return name

    def weights(self, shape, scale: float = 1.0) -> str:
        """Parameters, mostly constant, small enough that sums stay near 1."""
        fan = max(math.prod(shape[1:]), 1)
        a = np.asarray(self.rng.standard_normal(shape) * scale / math.sqrt(fan), np.float32)
        return self.put(a, constant=self.chance(0.9))

    def fixed(self, shape, low: float = -1.0, high: float = 1.0) -> str:
        """Constant floats in a range."""
        return self.const(self.rng.uniform(low, high, shape).astype(np.float32))

    def shape(self, name: str) -> tuple[int, ...]:
        """Shape of a value."""
        return self.arrays[name].shape

    def rank(self, name: str) -> int:
        """Its number of dimensions."""
        return self.arrays[name].ndim

    def dtype(self, name: str) -> str:
        """NumPy's name of its type."""
        return self.arrays[name].dtype.name

    def random_shape(self, rank: int) -> tuple[int, ...]:
        """Sizes that fit `largest`."""
        while True:
            shape = tuple(self.size() for _ in range(rank))
            if rank >= 3 and self.chance(0.6):
                shape = (self.choose(1, 1, 1, 2), *shape[1:])
            if math.prod(shape) <= self.largest // 2:
                return shape

    def pick(self, *ranks: int, dtype: str = "float32", fresh: float = 0.15) -> str:
        """A value of one of these ranks (any where none is given), the newest ones preferred; else a new one."""
        fitting = [
            n
            for n in self.pool
            if self.dtype(n) == dtype and (not ranks or self.rank(n) in ranks) and self.arrays[n].size
        ]
        if not fitting or self.chance(fresh):
            rank = self.choose(*ranks) if ranks else self.choose(0, 1, 2, 2, 3, 4, 4, 4, 5)
            return self.new(self.random_shape(rank), dtype)
        at = len(fitting) - 1 - min(int(self.rng.exponential(1.5)), len(fitting) - 1)
        return fitting[at]

    def beside(self, name: str, dtype: str = "") -> str:
        """A value that broadcasts with `name`: one that is there, itself, or a new one with dimensions of 1
        or left out.
        """
        dtype = dtype or self.dtype(name)
        shape = self.shape(name)
        kind = self.rng.random()
        if kind < 0.06 and self.dtype(name) == dtype:
            return name
        if kind < 0.45:
            fitting = [
                n for n in self.pool if self.dtype(n) == dtype and self._broadcasts(self.shape(n), shape)
            ]
            if fitting:
                return self.choose(*fitting)
        own = tuple(1 if self.chance(0.25) else n for n in shape)
        if self.chance(0.3):
            own = own[self.between(0, len(own)) :]
        if self.chance(0.1):
            own = ()
        if self.chance(0.05) and len(own) < 4 and math.prod(own) * 2 < self.largest:
            own = (2, *shape)
        if self.chance(0.1):
            own = tuple(self.size() if n == 1 else n for n in own)
        if math.prod(own) > self.largest:
            own = shape
        return self.new(own, dtype, constant=0.4)

    def _broadcasts(self, a, b) -> bool:
        try:
            return math.prod(np.broadcast_shapes(a, b)) <= self.largest
        except ValueError:
            return False

    def axis(self, name: str) -> int:
        """An axis, from either end."""
        rank = self.rank(name)
        at = self.between(0, rank - 1)
        return at - rank if self.chance(0.4) else at

    # -- nodes -----------------------------------------------------------------------------------------------

    def node(self, op: str, inputs, outputs: int = 1, *, skip=(), **attributes) -> list[str]:
        """Add a node; `skip` are outputs that are left out, and so are attributes that the operator does not
        have in this opset.

        Raises:
            Refused: it is not valid, the opset has no such operator, or its results are too large or empty.
        """
        schema = _schema(op, self.opset)
        if not schema.min_input <= len(inputs) <= schema.max_input or outputs > schema.max_output:
            raise Refused("another form in this opset")
        attributes = {k: v for k, v in attributes.items() if k in schema.attributes}
        names = ["" if i in skip else self.name("v") for i in range(outputs)]
        attributes = {k: v for k, v in attributes.items() if v is not None}
        node = helper.make_node(op, list(inputs), names, self.name("n"), **attributes)
        try:
            helper.make_graph([node], "g", [], [])
            runner = Runner(node, self.opset, self.arrays, self.constants)
        except (ValueError, TypeError) as error:
            raise Refused(str(error)) from error
        results = runner.run(self.arrays)
        for a in results:
            if a.size > self.largest or not a.size or a.dtype.name not in _KEPT or a.ndim > 6:
                raise Refused("too large, empty or of another type")
            if a.dtype.kind in "iu" and np.abs(a.astype(np.float64)).max() >= 2**31 and a.dtype.itemsize == 8:
                raise Refused("beyond 32 bits")
        made = [name for name in names if name]
        self.arrays.update(zip(made, results, strict=True))
        self.nodes.append(node)
        self.runners.append(runner)
        self.pool += made
        return names

    def one(self, op: str, *inputs: str, **attributes) -> str:
        """Add a node with one output; returns its name."""
        return self.node(op, inputs, **attributes)[0]

    # -- the end ---------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Choose outputs: what nobody reads, and now and then an inner value."""
        read = {name for runner in self.runners for name in runner.names}
        made = [name for runner in self.runners for name in runner.outputs]
        leaves = [name for name in made if name not in read]
        inner = [name for name in made if name in read and self.chance(0.12)]
        self.wanted = [name for name in made if name in set(leaves) | set(inner)]
        used = set(self.wanted) | read
        self.inputs = [name for name in self.inputs if name in used]
        self.constants = {name for name in self.constants if name in used}

    def given(self) -> dict[str, np.ndarray]:
        """Inputs and constants."""
        return {n: self.arrays[n] for n in (*self.inputs, *sorted(self.constants))}

    def feeds(self) -> dict[str, np.ndarray]:
        """The inputs' arrays."""
        return {name: self.arrays[name] for name in self.inputs}

    def model(self):
        """The whole graph as a model."""
        outputs = {name: tensor_type(self.arrays[name]) for name in self.wanted}
        constants = {name: self.arrays[name] for name in sorted(self.constants)}
        return model_of(self.nodes, self.opset, self.feeds(), outputs, constants)


_KEPT = frozenset(
    ["float32", "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
